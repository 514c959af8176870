internal import CPlatform

/// Writes a message when the program ends because of a defect, or because the Swift runtime lacks memory.
enum Defects {
  /// Installs handlers that write one line to standard error before the program ends.
  ///
  /// The handlers replace the reports of the runtime. These reports need memory and another process, and can
  /// wait forever for either.
  static func announce() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      signal(number) { number in
        // NB: a handler must not allocate memory or take a lock.
        let text: StaticString = "coalesce: out of memory, or stopped by a defect\n"
        // SAFETY: the text is constant, and the call reads it within its length.
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
        platform_reset_signal(number)
        // When the handler returns, the program ends: the failed instruction is repeated. If no instruction
        // has failed, the signal that is raised here ends the program.
        raise(number)
      }
    }
  }
}
