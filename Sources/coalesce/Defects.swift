internal import CPlatform

/// The ends that no part of the program can announce: a lack of memory inside the language's runtime, and a
/// defect.
enum Defects {
  /// Lets one line on standard error precede such an end.
  ///
  /// It takes the place of the runtime's reports, which need memory and another process, and may wait for
  /// both forever.
  static func announce() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      signal(number) { number in
        // NB: a handler may use no memory and no lock.
        let text: StaticString = "coalesce: out of memory, or stopped by a defect\n"
        // SAFETY: the text is constant, and the call reads it within its length.
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
        platform_reset_signal(number)
        // The return repeats the failed instruction, which ends the program; other origins need the signal
        // again.
        raise(number)
      }
    }
  }
}
