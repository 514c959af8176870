#if os(Linux)
  import Foundation
  import Testing

  extension Tool {
    /// Waits until the tool has read its input and all its threads sleep, so that each line has had its
    /// effect.
    func waitUntilIdle() throws {
      var last: [String]?
      while true {
        let switches = try sleepingThreads()
        if unreadCount == 0, let switches, switches == last { return }
        last = switches
        usleep(1000)
      }
    }

    /// The largest resident memory so far, in bytes.
    func peakMemory() throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
      let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return try #require(peak?.split { !$0.isNumber }.first.flatMap { Int($0) }) << 10
    }

    /// Returns the number of times that each thread has run; nil if a thread is running.
    private func sleepingThreads() throws -> [String]? {
      let folder = "/proc/\(processID)/task"
      var switches: [String] = []
      for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
        // A thread may end between the two reads.
        guard let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8) else {
          return nil
        }
        let fields = status.split(separator: "\n")
        guard fields.contains(where: { $0.hasPrefix("State:\tS") }) else { return nil }
        switches += fields.filter { $0.contains("ctxt_switches") }.map { "\(thread) \($0)" }
      }
      return switches
    }
  }

  /// Whether a process exists and has not exited.
  func isAlive(_ processID: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8) else {
      return false
    }
    // The state follows the name, which is in parentheses.
    return stat.split(separator: ")").last?.hasPrefix(" Z") == false
  }
#endif
