internal import CPlatform

/// An open file for reading.
struct InputFile {
  static let standard: InputFile = InputFile(file: STDIN_FILENO)

  private let file: Int32

  private init(file: Int32) {
    self.file = file
  }

  /// Reads a whole file; `-` is standard input.
  static func contents(of path: String) throws(SystemError) -> [UInt8] {
    if path == "-" { return try standard.contents() }
    // SAFETY: the path is a string that is alive during the call.
    let file = unsafe platform_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    return try InputFile(file: file).contents()
  }

  /// Waits for bytes and reads them; returns their number, or zero at the end of the file.
  func readSome(_ buffer: inout [UInt8]) throws(SystemError) -> Int {
    while true {
      // SAFETY: the call writes into the buffer within its length.
      let count = unsafe read(file, &buffer, buffer.count)
      if count >= 0 { return count }
      switch platform_error() {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: waitUntilReady(file, POLLIN)
      default: throw .last
      }
    }
  }

  /// Reads to the end of the file.
  private func contents() throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try readSome(&buffer)
      if count == 0 { return contents }
      contents += buffer[..<count]
    }
  }
}
