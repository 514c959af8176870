internal import CPlatform

/// The signals for which the main thread waits: those that end the program, and the signal of the suspend
/// key.
struct AwaitedSignals {
  private var set: sigset_t = sigset_t()

  /// Unblocks all signals: the parent may have blocked some of them, for example SIGCHLD. Ignores SIGPIPE, so
  /// that a write to a pipe without a reader returns an error.
  static func prepare() {
    var none = sigset_t()
    // SAFETY: each call reads and writes one valid element.
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    platform_ignore_signal(SIGPIPE)
    // A process that ignores SIGCHLD cannot wait for its children.
    platform_reset_signal(SIGCHLD)
  }

  /// Blocks the signals, so that each is pending until a call of ``next()`` returns it.
  ///
  /// Call this on the main thread before another thread is started, because threads inherit the mask. A
  /// signal that is ignored at the start stays ignored, for example after `nohup`.
  init() {
    // SAFETY: each call reads and writes one valid element.
    unsafe sigemptyset(&set)
    let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    for number in numbers where !platform_is_signal_ignored(number) { unsafe sigaddset(&set, number) }
    // A command does not inherit this mask: it starts with no signal blocked.
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next signal; returns its number.
  func next() -> Int32 {
    var set = self.set
    var number: Int32 = 0
    // SAFETY: the call reads one valid element, and writes another one.
    while unsafe sigwait(&set, &number) != 0 {}
    return number
  }

  /// Stops the process as SIGTSTP does by default; returns when the process is continued.
  ///
  /// If no shell can continue the process, the kernel ignores the signal, and this method returns
  /// immediately.
  func stop() {
    var suspend = sigset_t()
    // SAFETY: each call reads and writes one valid element.
    unsafe sigemptyset(&suspend)
    unsafe sigaddset(&suspend, SIGTSTP)
    // The signal is pending for this thread, and is delivered when the thread no longer blocks it.
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &suspend, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &suspend, nil)
  }
}
