internal import CPlatform

/// The properties of standard output that a drawing depends on.
enum Terminal {
  /// The number of columns; 80 if it is unknown.
  static var width: Int {
    var size = winsize()
    // SAFETY: the call writes one valid element.
    let result = unsafe platform_window_size(STDOUT_FILENO, &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Whether the terminal shows colours and the user allows them.
  static var hasColor: Bool {
    isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR") == nil && variable("TERM") != "dumb"
  }

  /// Whether the locale supports only ASCII; false without a locale.
  static var isASCII: Bool {
    guard let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") else { return false }
    let name = locale.lowercased()
    return !name.contains("utf-8") && !name.contains("utf8")
  }

  /// Clears the terminal; has no effect if standard output is not a terminal.
  static func clear() {
    if isatty(STDOUT_FILENO) != 1 || variable("TERM") == "dumb" { return }
    Output.standard.writeOrExit(Array("\u{1B}[H\u{1B}[2J".utf8)[...])
  }

  /// Returns a variable of the environment; nil if it is empty or missing.
  private static func variable(_ name: String) -> String? {
    // SAFETY: the environment is not changed, so the string is alive until it is copied.
    let value = unsafe getenv(name).map { unsafe String(cString: $0) }
    return value == "" ? nil : value
  }
}
