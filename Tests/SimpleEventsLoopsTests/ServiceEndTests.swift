import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L2, L5, L7 and L8: the service in the article *Refresh loops*, shut down at any instant of random courses.
struct ServiceEndTests {
  @Test(
    "L2, L5, L7, L8: a service that ends loses no request and repeats no run, in random courses",
    arguments: ServiceCourse.End.allCases, [0.0, 0.5])
  func ends(_ end: ServiceCourse.End, failing: Double) throws {
    for seed in Stress.seeds(2000) {
      let defects = try ServiceCourse(seed: seed, end: end, failing: failing).defects()
      try #require(defects.isEmpty, "seed \(seed): \(defects)")
    }
  }
}

/// One course of a service: requests, runs that take time and may fail, and an end.
struct ServiceCourse {
  enum End: CaseIterable, Codable, Sendable {
    /// The task of the service is cancelled. Another task takes over the pending requests.
    case cancelled
    /// The service finishes.
    case graceful
  }

  let policy: CoalescingPolicy
  /// The instants of the requests, in milliseconds.
  let requests: [Int]
  let durations: [Int]
  let failures: [Bool]
  let end: End
  let endsAt: Int

  init(seed: UInt64, end: End, failing: Double) {
    var generator = SeededGenerator(seed: seed)
    policy =
      Bool.random(using: &generator) ? .nextTurn : .debounce(.milliseconds(5), maxWait: .milliseconds(12))
    endsAt = .random(in: 0...60, using: &generator)
    requests = (0...5).map { _ in .random(in: 0...60, using: &generator) }.filter { [endsAt] in $0 <= endsAt }
    durations = (0..<40).map { _ in .random(in: 0...15, using: &generator) }
    // The last attempts succeed, so that each course ends.
    failures = (0..<40).map { $0 < 30 && .random(in: 0..<1, using: &generator) < failing }
    self.end = end
  }

  /// Runs the course, and returns the contracts that it has broken.
  func defects() throws -> [String] {
    let scheduler = TestScheduler()
    let start = scheduler.now
    let service = Service(on: scheduler, self)
    let left = try scheduler.run { () -> [String] in
      let host = Task { await service.run() }
      for instant in requests.sorted() {
        try await scheduler.clock.sleep(until: start.advanced(by: .milliseconds(instant)))
        service.changed()
      }
      try await scheduler.clock.sleep(until: start.advanced(by: .milliseconds(endsAt)))
      switch end {
      case .graceful:
        await service.finish()
        await host.value
      case .cancelled:
        host.cancel()
        await host.value
        let successor = Task { await service.run() }
        await service.finish()
        await successor.value
      }
      return await service.isRunning ? ["a run is left"] : []
    }
    return left + service.log.defects()
  }
}

/// The events of a service, in order.
private final class ServiceLog: Sendable {
  enum Event {
    case request
    case start
    case end(isRetried: Bool)
  }

  private let scheduler: TestScheduler
  private let entries: Guarded<[(event: Event, instant: EventInstant)]> = Guarded([])

  init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

  func add(_ event: Event) { entries.withLock { $0.append((event, scheduler.now)) } }

  func defects() -> [String] {
    var (defects, isRunning, isRetried) = ([String](), false, false)
    var (covered, lastRequest): (Int, EventInstant?) = (0, nil)
    var (requests, allowed) = (0, false)
    for (event, instant) in entries.withLock({ $0 }) {
      switch event {
      case .request: (requests, lastRequest, allowed) = (requests + 1, instant, true)
      case .start:
        if isRunning { defects.append("two runs overlap") }
        if !allowed && !isRetried { defects.append("a run was not asked for") }
        // A request of this instant may have reached the actor after the run had begun.
        (covered, allowed, isRetried, isRunning) = (requests, lastRequest == instant, false, true)
      case .end(let failed): (isRetried, isRunning) = (failed, false)
      }
    }
    if covered < requests { defects.append("a request was lost") }
    return defects
  }
}

/// The service of the article, extended by a log.
private actor Service {
  private struct Failure: Error {}

  nonisolated let log: ServiceLog
  private nonisolated let loop: RefreshLoop
  private let course: ServiceCourse
  private let clock: SchedulerClock
  private var runs: Int = 0
  private(set) var isRunning: Bool = false

  init(on scheduler: TestScheduler, _ course: ServiceCourse) {
    loop = RefreshLoop(on: scheduler, policy: course.policy, retry: .constant(.milliseconds(7)))
    clock = scheduler.clock
    self.course = course
    log = ServiceLog(scheduler)
  }

  nonisolated func changed() {
    log.add(.request)
    loop.request()
  }

  func run() async {
    await loop.run {
      try await self.refresh()
    } onError: { _ in
    }
  }

  nonisolated func finish() async { await loop.finish() }

  private func refresh() async throws {
    log.add(.start)
    isRunning = true
    var fails = false
    defer {
      isRunning = false
      log.add(.end(isRetried: fails))
    }
    let run = runs
    runs += 1
    try await clock.sleep(for: .milliseconds(course.durations[run]))
    fails = course.failures[run]
    if fails { throw Failure() }
  }
}
