internal import Dispatch
internal import SimpleEvents

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A Unix filter: lines in, fewer lines out. Each line is a signal, each delivery writes the newest one.
@main
struct Coalesce {
  static func main() {
    do {
      switch try Options.parse(CommandLine.arguments.dropFirst()) {
      case .help:
        write(Array(Options.usage.utf8), to: STDOUT_FILENO)
      case .filter(let policy):
        filter(policy)
      }
    } catch {
      write(Array("coalesce: \(error.message)\n\(Options.usage)".utf8), to: STDERR_FILENO)
      exit(Options.usageStatus)
    }
  }

  /// Copies standard input to standard output until its end, as the policy has it, the last line included.
  private static func filter(_ policy: CoalescingPolicy) {
    let queue = DispatchQueue(label: "coalesce")
    let newest = Newest()
    let callback = CoalescingCallback(queue: queue, policy: policy) {
      if let line = newest.take() {
        write(line + [LineSplitter.newline], to: STDOUT_FILENO)
      }
    }
    readLines(from: STDIN_FILENO) { line in
      newest.put(line)
      callback.schedule()
    }
    queue.sync { callback.flush() }
  }

  private static func readLines(from file: Int32, _ body: ([UInt8]) -> Void) {
    var splitter = LineSplitter()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count > 0 {
        splitter.split(buffer[..<count], body)
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    splitter.finish(body)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { posixWrite(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        exit(EXIT_FAILURE)
      }
    }
  }
}

/// `write(2)`, which a method of the same name would hide.
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
