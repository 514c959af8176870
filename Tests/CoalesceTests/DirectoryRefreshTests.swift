#if os(Linux)
  import Dispatch
  import Foundation
  import TestSupport
  import Testing

  /// The built tool with a real command, fed by a watcher of files.
  @Suite(.serialized, .onOwnThreads) struct DirectoryRefreshTests {
    @Test("coalesce: a burst of thousands of changed files causes one run after it, and no file is missed")
    func burst() throws {
      let folder = NSTemporaryDirectory() + "burst-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let count = Stress.size(5000)
      let pause = Duration.milliseconds(500)
      let tool = try Tool(
        "--debounce 500ms --stdin",
        command: ["sh", "-c", "echo run $COALESCE_COUNT $COALESCE_DROPPED; cat; echo end"])
      let watcher = try DirectoryWatcher(folder, on: DispatchQueue(label: "watcher")) { names in
        try? tool.send(names.map { "\($0)\n" }.joined())
      }
      let clock = ContinuousClock()
      let start = clock.now
      for number in 1...count {
        try Data().write(to: URL(fileURLWithPath: "\(folder)/file-\(number)"))
      }
      var runCount = 0
      var files: [String] = []
      while files.count < count, let line = tool.line() {
        if line.hasPrefix("run ") {
          runCount += 1
          #expect(line.hasSuffix(" 0"))
        } else if line != "end" {
          files.append(line)
        }
      }
      // Another test that starts a process at this moment may hold a file open, so that the change of the
      // file is reported late.
      #expect(Set(files) == Set((1...count).map { "file-\($0)" }))
      // Each run follows a pause, so there is one run unless the machine stopped for longer than the pause.
      #expect(runCount == 1 || pause * runCount <= start.duration(to: clock.now))
      try tool.arrival(of: "end")
      #expect(try tool.finish() == .wrote(""))
      withExtendedLifetime(watcher) {}
    }
  }
#endif
