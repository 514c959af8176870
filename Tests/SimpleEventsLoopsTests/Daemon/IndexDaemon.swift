import SimpleEvents
import SimpleEventsLoops

/// The interface of a directory for the daemon.
protocol IndexedDirectory: Sendable {
  /// Returns the sizes of all files, by name.
  func scan() async throws -> [String: Int]
}

/// A daemon that keeps an index of a directory. After changes it scans the directory again, at most once in
/// 100 ms, and one scan at a time.
actor IndexDaemon {
  /// Triggered after each scan.
  nonisolated let didScan: LazySimpleEvent
  private(set) var index: [String: Int] = [:]
  private(set) var scans: Int = 0
  private(set) var errors: Int = 0
  /// The number of scans that began while another scan was in progress.
  private(set) var overlaps: Int = 0
  private let directory: any IndexedDirectory
  private let scheduler: any EventScheduler
  private var isScanning: Bool = false
  private lazy var loop: RefreshLoop = makeLoop(on: scheduler)

  init(_ directory: any IndexedDirectory, on scheduler: any EventScheduler) {
    self.directory = directory
    self.scheduler = scheduler
    didScan = LazySimpleEvent(on: scheduler)
  }

  /// Makes the first scan, and a further scan after each notification.
  func start(observing events: [any SimpleEventObservable & Sendable]) {
    for event in events { loop.observe(event) }
    loop.request()
  }

  /// Requests a scan after a change of the directory.
  func directoryDidChange() { loop.request() }

  /// Stops after a last scan.
  func stop() async {
    loop.request()
    await loop.settle()
    await loop.stop()
  }

  private func makeLoop(on scheduler: some EventScheduler) -> RefreshLoop {
    // The loop retains the daemon until it is stopped.
    RefreshLoop(on: scheduler, policy: .throttle(.milliseconds(100)), label: "index") {
      try await self.refresh()
    } onError: { _ in
      self.scanDidFail()
    }
  }

  private func refresh() async throws {
    overlaps += isScanning ? 1 : 0
    isScanning = true
    defer { isScanning = false }
    scans += 1
    index = try await directory.scan()
    didScan.trigger()
  }

  private func scanDidFail() {
    errors += 1
    loop.request()
  }
}
