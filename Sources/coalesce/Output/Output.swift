internal import CPlatform

/// An open file for writing.
struct Output: Sendable {
  static let standard: Output = Output(file: STDOUT_FILENO, name: "standard output")
  static let errors: Output = Output(file: STDERR_FILENO, name: "standard error")

  var file: Int32
  /// The name of the file for messages.
  var name: String

  /// Writes all bytes. Waits while a non-blocking file is full.
  func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      // SAFETY: the call reads the bytes within their length, and the bytes are alive during the call.
      let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if platform_error() == EAGAIN || platform_error() == EWOULDBLOCK {
        waitUntilReady(file, POLLOUT)
      } else if platform_error() != EINTR {
        throw .last
      }
    }
  }

  /// Writes all bytes, or exits. If the reader has closed the file, the exit has no message.
  func writeOrExit(_ bytes: ArraySlice<UInt8>) {
    do {
      try write(bytes)
    } catch {
      if error.number != EPIPE { Output.report("cannot write \(name): \(error.reason)") }
      Exit.doLastWork()
      _exit(error.number == EPIPE ? 128 + SIGPIPE : EXIT_FAILURE)
    }
  }

  /// Opens a file for writing, and removes its previous contents.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - waits: Whether to wait until a named pipe has a reader. If false, a missing reader is an error.
  static func open(_ path: String, waits: Bool) throws(SystemError) -> Output {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
    // SAFETY: the path is a string that is alive during the call.
    let file = unsafe platform_open(path, flags, 0o666)
    guard file >= 0 else { throw .last }
    return Output(file: file, name: path)
  }

  /// Replaces the contents of a file.
  static func replaceFile(_ path: String, by bytes: ArraySlice<UInt8>) throws(SystemError) {
    let output = try open(path, waits: true)
    defer { close(output.file) }
    try output.write(bytes)
  }

  /// Writes a message to standard error.
  static func report(_ message: String) {
    // A message that cannot be written is lost.
    try? errors.write(Array("coalesce: \(message)\n".utf8)[...])
  }

  /// Reports that standard input cannot be read; returns the exit status.
  static func reportInputFailure(_ error: SystemError) -> Int32 {
    report("cannot read standard input: \(error.reason)")
    return EXIT_FAILURE
  }

  /// Writes a message to standard error, unless the write would block.
  static func reportIfReady(_ message: String) {
    if isReady(errors.file, POLLOUT) { report(message) }
  }
}

/// Calls the C function `write`. Inside `Output`, the name `write` means the method.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
