internal import CPlatform

/// Ends of the program without a message of its own: lack of memory inside the Swift runtime, and defects.
enum Defects {
  /// Installs handlers that write one line to standard error before such an end.
  ///
  /// The handlers replace the reports of the runtime, which need memory and another process, and may wait
  /// forever for both.
  static func announce() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      signal(number) { number in
        // NB: a handler may use no memory and no lock.
        let text: StaticString = "coalesce: out of memory, or stopped by a defect\n"
        // SAFETY: the text is constant, and the call reads it within its length.
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
        platform_reset_signal(number)
        // Returning repeats the failed instruction, which ends the program. If the signal had another origin,
        // it is raised again.
        raise(number)
      }
    }
  }
}
