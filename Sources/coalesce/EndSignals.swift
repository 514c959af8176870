#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The signals that end the program.
struct EndSignals {
  private var set: sigset_t = sigset_t()

  /// Blocks the signals, so that they are pending until a call of ``next()``. Ignores SIGPIPE, so that a write fails.
  ///
  /// Call it on the main thread before another one is started: threads inherit the mask. A signal that is ignored at
  /// the start, as by `nohup`, stays ignored.
  init() {
    // SAFETY: each call reads and writes one valid element.
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) {
      unsafe sigaddset(&set, number)
    }
    // NB: the parent may have blocked other signals, for example SIGCHLD. They have no effect here, and a command
    // starts with none blocked.
    unsafe pthread_sigmask(SIG_SETMASK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
    // Children whose end is ignored cannot be waited for.
    signal(SIGCHLD, SIG_DFL)
  }

  /// Waits for the next signal; returns its number.
  func next() -> Int32 {
    var set = self.set
    var number: Int32 = 0
    // SAFETY: the call reads and writes one valid element each.
    while unsafe sigwait(&set, &number) != 0 {}
    return number
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    // SAFETY: the call writes one valid element. The handler is compared as an address and not called.
    unsafe sigaction(number, nil, &action)
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #elseif canImport(Glibc)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #else
      let handler = unsafe action.__sa_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
