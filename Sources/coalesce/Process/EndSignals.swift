internal import CPlatform

/// The signals that end the program.
struct EndSignals {
  private var set: sigset_t = sigset_t()

  /// Blocks the signals, so that they are pending until a call of ``next()``. Ignores SIGPIPE, so that a
  /// write fails.
  ///
  /// Call this on the main thread before another thread is started: threads inherit the mask. A signal that
  /// is ignored at the start, as by `nohup`, stays ignored.
  init() {
    // SAFETY: each call reads and writes one valid element.
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !platform_is_signal_ignored(number) {
      unsafe sigaddset(&set, number)
    }
    // NB: the parent may have blocked other signals, for example SIGCHLD. They have no effect here, and a
    // command starts with none blocked.
    unsafe pthread_sigmask(SIG_SETMASK, &set, nil)
    platform_ignore_signal(SIGPIPE)
    // A process that ignores SIGCHLD cannot wait for its children.
    platform_reset_signal(SIGCHLD)
  }

  /// Waits for the next signal; returns its number.
  func next() -> Int32 {
    var set = self.set
    var number: Int32 = 0
    // SAFETY: the call reads and writes one valid element each.
    while unsafe sigwait(&set, &number) != 0 {}
    return number
  }
}
