import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "Testing with virtual time". A line that ends in "hidden" is not part of the
// text.

private final class Model {
  private let _didChange: LazySimpleEvent
  var didChange: any SimpleEventObservable { _didChange }
  var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }

  init(on scheduler: some EventScheduler) {
    _didChange = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)))
  }
}

@Test func refreshesOnceAfterABurst() {
  let scheduler = TestScheduler()
  let model = Model(on: scheduler)
  let recorder = EventRecorder(model.didChange, on: scheduler)
  model.title = "a"
  scheduler.advance(by: .milliseconds(50))
  model.title = "b"
  scheduler.advance(by: .seconds(1))
  #expect(recorder.times == [.milliseconds(150)])
}

@Test nonisolated func runsAfterAPause() {
  let scheduler = TestScheduler()
  let recorder = EventRecorder(on: scheduler)
  let loop = RefreshLoop(on: scheduler, policy: .debounce(.milliseconds(100))) { recorder.record() }
  loop.request()
  scheduler.advance(by: .seconds(1))
  #expect(recorder.times == [.milliseconds(100)])
}

private struct ServerIsDown: Error {}

@Test func retriesWithGrowingWaits() {
  let scheduler = TestScheduler()
  let attempts = EventRecorder(on: scheduler)
  let loop = RefreshLoop(
    on: scheduler, retry: .exponential(initial: .seconds(1)).maximum(.seconds(3))
  ) {
    attempts.record()
    if attempts.count < 4 { throw ServerIsDown() }
  } onError: { _ in
  }
  loop.request()
  scheduler.advance(by: .seconds(60))
  #expect(attempts.times == [.zero, .seconds(1), .seconds(3), .seconds(6)])
}

private struct Service {
  enum Answer {
    case fresh
  }

  let clock: SchedulerClock

  func fetch() async throws -> Answer {
    try await clock.sleep(for: .seconds(60))
    return .fresh
  }
}

@Test func retriesAfterAMinute() throws {
  let scheduler = TestScheduler()
  let service = Service(clock: scheduler.clock)
  let answer = try scheduler.run {
    try await service.fetch()
  }
  #expect(answer == .fresh)
  #expect(scheduler.elapsed == .seconds(60))
}

@MainActor
private final class TitleView {
  private let clock: SchedulerClock
  private(set) var title = ""

  init(clock: SchedulerClock) { self.clock = clock }

  func load() async throws {
    try await clock.sleep(for: .seconds(1))
    title = "loaded"
  }
}

@MainActor @Test func showsTheTitle() async throws {
  let scheduler = TestScheduler()
  let view = TitleView(clock: scheduler.clock)
  try await scheduler.runOnMain {
    try await view.load()
  }
  #expect(view.title == "loaded")
}

private struct Reader {
  func contents(of file: String) async throws -> String { file }
}

private enum Actors {
  actor Index {
    private let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(on executor: any SerialExecutor) {
      self.executor = executor
    }
  }
}

struct VirtualTimeSnippets {
  @Test("Documentation: a run waits for a file")
  func outside() throws {
    let scheduler = TestScheduler()
    let reader = Reader()
    let file = "README.md"
    let data = try scheduler.run(externalJobs: .awaited(upTo: .seconds(5))) {
      try await reader.contents(of: file)
    }
    #expect(data == file)
  }

  @Test("Documentation: a debounced event notifies 100 ms after the trigger")
  func debounced() {
    let scheduler = TestScheduler()
    let event = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)))
    let recorder = EventRecorder(event, on: scheduler)
    event.trigger()
    scheduler.advance(by: .milliseconds(100))
    #expect(recorder.times == [.milliseconds(100)])
  }

  @Test("Documentation: a timeline prints the expected instants over the actual ones")
  func timeline() {
    let scheduler = TestScheduler()
    let events: [Duration] = []
    let expected: [Duration] = []
    let recorder = EventRecorder(on: scheduler)
    #expect(
      recorder.times == expected,
      "\(Timeline(["events": events, "expected": expected, "actual": recorder.times]))")
  }

  @Test("Documentation: a timeline draws policies")
  func drawing() {
    let events: [Duration] = [.zero, .milliseconds(40), .milliseconds(80), .milliseconds(300)]
    let timeline = Timeline(
      events: events,
      policies: ["debounce": .debounce(.milliseconds(100)), "throttle": .throttle(.milliseconds(100))])
    print(timeline.text(width: 60))
  }
}

private actor BatchWriter {
  private let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private(set) var batches: [[String]] = []
  private var lines: CoalescingCollector<String>?

  init(on executor: any SerialExecutor) {
    self.executor = executor
  }

  func start(on scheduler: some EventScheduler) {
    lines = CoalescingCollector(on: scheduler, policy: .audit(.seconds(1)), keeping: .newest(9)) { batch in
      self.batches.append(Array(batch))
    }
  }

  func add(_ line: String) { lines?.add(line) }

  func stop() { lines = nil }
}

@Test("Documentation: a collector of an actor on the scheduler delivers in virtual time, on the actor")
func batchesInVirtualTime() throws {
  let scheduler = TestScheduler()
  let batches = try scheduler.run {
    let writer = BatchWriter(on: scheduler)
    await writer.start(on: scheduler)
    await writer.add("a")
    await writer.add("b")
    try await scheduler.clock.sleep(for: .milliseconds(1500))
    await writer.add("c")
    try await scheduler.clock.sleep(for: .milliseconds(1500))
    await writer.stop()
    return await writer.batches
  }
  #expect(batches == [["a", "b"], ["c"]])
}
