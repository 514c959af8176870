internal import Dispatch
internal import SimpleEvents

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A Unix filter that coalesces lines: each line is a signal, and each delivery writes the newest line.
@main
struct Coalesce {
  static func main() {
    do {
      switch try Options.parse(CommandLine.arguments.dropFirst()) {
      case .help:
        write(Array(Options.usage.utf8), to: STDOUT_FILENO)
      case .filter(let policy):
        let error = filter(policy)
        if error != 0 {
          let reason = unsafe String(cString: strerror(error))
          write(Array("coalesce: cannot read standard input: \(reason)\n".utf8), to: STDERR_FILENO)
          exit(EXIT_FAILURE)
        }
      }
    } catch {
      write(Array("coalesce: \(error.message)\n\(Options.usage)".utf8), to: STDERR_FILENO)
      exit(Options.usageStatus)
    }
  }

  /// Copies lines from standard input to standard output by a policy, and writes the pending line at the end.
  ///
  /// - Returns: Zero at the end of the input, or the number of the error that ended it.
  private static func filter(_ policy: CoalescingPolicy) -> Int32 {
    let queue = DispatchQueue(label: "coalesce")
    let lines = CoalescingCollector<[UInt8]>(on: queue, policy: policy, keeping: .newest(1)) { batch in
      write(batch[0] + [LineSplitter.newline], to: STDOUT_FILENO)
    }
    let error = readLines(from: STDIN_FILENO) { lines.add($0) }
    queue.sync { lines.flush() }
    return error
  }

  /// Reads a file, and calls a body with each line, without its newline.
  ///
  /// - Returns: Zero at the end of the file, or the number of the error that ended it.
  private static func readLines(from file: Int32, _ body: ([UInt8]) -> Void) -> Int32 {
    var splitter = LineSplitter()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(file, &buffer, buffer.count)
      if count > 0 {
        splitter.split(buffer[..<count], body)
      } else if count == 0 || errno != EINTR {
        let error = count == 0 ? 0 : errno
        splitter.finish(body)
        return error
      }
    }
  }

  /// Writes all bytes; exits if a write fails.
  private static func write(_ bytes: [UInt8], to file: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe posixWrite(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        exit(EXIT_FAILURE)
      }
    }
  }
}

/// The C function `write`. Inside `Coalesce`, its name means the method.
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
