#if os(Linux)
  import Dispatch
  import Foundation
  import Glibc
  import Observation
  import SimpleEvents
  import SimpleEventsLoops
  import TestSupport
  import Testing

  /// The daemon on a real directory.
  @Suite(.serialized) struct RealDaemonTests {
    @Test(
      "L1, L2, O1: after thousands of changes the index is right, in at most 2 + elapsed / 100 ms scans"
    )
    func manyFiles() async throws {
      let directory = try TemporaryDirectory()
      let daemon = IndexDaemon(directory, on: DispatchQueue(label: "daemon"))
      let start = DispatchTime.now().uptimeNanoseconds
      let (scans, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let token = daemon.didScan.addObserver { @Sendable _ in continuation.yield() }
      let watcher = try DirectoryWatcher(directory.path, on: DispatchQueue(label: "watcher")) { _ in
        Task { await daemon.directoryDidChange() }
      }
      let configuration = await Configuration()
      let didConfigure = await configuration.didChange()
      let events = (0..<3).map { _ in LazySimpleEvent(on: DispatchQueue(label: "event")) }
      await daemon.start(observing: events + [didConfigure])
      let written = Task.detached {
        for number in 0..<Stress.size(5000) {
          try directory.write("\(number)", size: number % 7)
          if number % 100 == 0 { events[number / 100 % 3].trigger() }
          if number % 500 == 0 { await configuration.deepen() }
        }
      }
      try await written.value
      let files = try await directory.scan()
      #expect(files.count == Stress.size(5000))
      for await _ in scans where await daemon.index == files { break }
      // Each event and the model cause a scan by themselves.
      for cause in 0..<4 {
        let before = await daemon.scans
        if cause < 3 { events[cause].trigger() } else { await configuration.deepen() }
        for await _ in scans where await daemon.scans > before { break }
      }
      await daemon.stop()
      let elapsed = (DispatchTime.now().uptimeNanoseconds - start) / 1_000_000
      #expect(await daemon.index == files)
      #expect(await daemon.overlaps == 0)
      #expect(await daemon.scans <= 2 + Int(elapsed) / 100)
      withExtendedLifetime((token, watcher)) {}
    }

    @Test("L5: SIGTERM stops the daemon after a last scan")
    func terminationSignal() async {
      await #expect(processExitsWith: .exitCode(7)) {
        let directory = try TemporaryDirectory()
        let daemon = IndexDaemon(directory, on: DispatchQueue(label: "daemon"))
        await daemon.start(observing: [])
        let signals = Termination.signals()
        // No notification reports that this file was written, so only the last scan can find it.
        try directory.write("last", size: 3)
        kill(getpid(), SIGTERM)
        for await _ in signals { break }
        await daemon.stop()
        let isIndexed = await daemon.index == ["last": 3]
        withExtendedLifetime(directory) {}
        exit(isIndexed ? 7 : 1)
      }
    }
  }

  @MainActor @Observable private final class Configuration {
    private var depth: Int = 0

    func deepen() { depth += 1 }

    func didChange() -> ObservationEvent { ObservationEvent { [self] in _ = depth } }
  }

  /// SIGTERM as a sequence.
  private enum Termination {
    // SAFETY: the variable is written once, before the signal can arrive.
    private nonisolated(unsafe) static var pipe: [Int32] = [-1, -1]

    static func signals() -> AsyncStream<Void> {
      Glibc.pipe(&pipe)
      signal(SIGTERM) { _ in
        // The function `write` is one of the few functions that a signal handler may call.
        _ = write(Termination.pipe[1], "t", 1)
      }
      // Threads that a dispatch queue has started may block the signal.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      let source = DispatchSource.makeReadSource(fileDescriptor: pipe[0], queue: .global())
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      source.setEventHandler {
        continuation.yield()
        source.cancel()
      }
      source.activate()
      return stream
    }
  }

  /// A directory that is removed with its object.
  private final class TemporaryDirectory: IndexedDirectory {
    let path: String

    init() throws {
      let url = URL.temporaryDirectory.appending(component: "SimpleEvents.\(UUID())")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, size: Int) throws {
      try Data(repeating: 0, count: size).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func scan() async throws -> [String: Int] {
      var sizes: [String: Int] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        var status = stat()
        // A file may have been removed since the directory was read.
        if stat("\(path)/\(name)", &status) == 0 { sizes[name] = Int(status.st_size) }
      }
      return sizes
    }
  }
#endif
