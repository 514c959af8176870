internal import CPlatform

/// The reason why a command was not started.
struct StartError: Error {
  /// The part of the start that the system refused.
  enum Part {
    case command
    /// A file in memory for the lines.
    case lines
    case file(String)
  }

  let part: Part
  let error: SystemError

  init(part: Part, _ error: SystemError) {
    self.part = part
    self.error = error
  }

  /// The exit status of the run: 126 if the command is not executable, 127 otherwise.
  var status: Int32 {
    guard case .command = part else { return 127 }
    return error.number == EACCES || error.number == ENOEXEC ? 126 : 127
  }

  /// Returns the message about a command that was not started.
  func message(_ command: String) -> String {
    let cause =
      switch part {
      case .command: ""
      case .lines: "cannot hold its lines: "
      case .file(let path): "cannot open \(path): "
      }
    return "cannot run \(command): \(cause)\(error.reason)"
  }
}
