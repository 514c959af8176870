internal import CPlatform

/// The files with which the program is started.
enum StandardFiles {
  /// Replaces each closed standard file, so that no other file gets its number.
  ///
  /// The substitute fails as a closed file does: it cannot be read as standard input, or written as standard
  /// output or standard error.
  static func occupy() {
    for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where platform_descriptor_flags(file) < 0 {
      // The call takes the lowest free number, which is the number of the closed file. SAFETY: the path is a
      // string that is alive during the call.
      _ = unsafe platform_open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY, 0)
    }
  }
}
