import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// What a block, or a piece of work, captured is released when promised, not when everything is torn down.
@Suite struct CaptureTests {
  /// How a block is taken off an event.
  enum Removal: CaseIterable {
    case remove
    case drop
    case replace
  }

  /// A token, and a look at what its block captured.
  private final class Subject {
    var token: (any SimpleEventToken)?
    weak var captured: Canary?

    init(_ event: any SimpleEventObservable, _ body: @escaping () -> Void = {}) {
      let canary = Canary()
      captured = canary
      token = event.addObserver { _ in withExtendedLifetime(canary, body) }
    }

    func take(off event: any SimpleEventObservable, by removal: Removal) {
      switch removal {
      case .remove: token?.remove()
      case .drop: token = nil
      case .replace: event.addObserver(&token) { _ in }
      }
    }
  }

  @Test(arguments: Removal.allCases)
  func `E5: outside a cycle captures go at once`(_ removal: Removal) {
    let event = SimpleEvent()
    let subject = Subject(event)
    event.trigger()
    #expect(subject.captured != nil)
    subject.take(off: event, by: removal)
    #expect(subject.captured == nil)
  }

  @Test(arguments: Removal.allCases)
  func `E5: inside a cycle captures go by its end, of the block itself, earlier and later ones`(
    _ removal: Removal
  ) {
    let event = SimpleEvent()
    var subjects: [Subject] = []
    var calls = 0
    for index in 0..<3 {
      subjects.append(
        Subject(event) {
          calls += 1
          guard index == 1 else { return }
          for subject in subjects {
            subject.take(off: event, by: removal)
          }
        })
    }
    event.trigger()
    #expect(calls == 2, "the third was removed before its turn")
    #expect(subjects.map { $0.captured == nil } == [true, true, true])
    subjects = []
  }

  @Test func `S2: a test scheduler lets go of work that was cancelled or run, though the entry is kept`() {
    let scheduler = TestScheduler()
    let (cancelled, run) = (Work(on: scheduler, at: .ms(10)), Work(on: scheduler, at: .ms(10)))
    let dropped = Work(on: TestScheduler(), at: .ms(10))
    #expect(dropped.captured != nil, "the entry keeps its scheduler")
    cancelled.scheduled?.cancel()
    #expect(cancelled.captured == nil)
    #expect(run.captured != nil)
    scheduler.run()
    #expect(run.captured == nil)
    dropped.scheduled = nil
    #expect(dropped.captured == nil)
  }

  @Test func `S2: a queue lets go of work that was cancelled or run, though the entry is kept`() {
    let queue = DispatchQueue(label: "timers")
    let ran = DispatchSemaphore(value: 0)
    let cancelled = Work(on: queue, at: queue.now.advanced(by: .seconds(1000)))
    #expect(cancelled.captured != nil)
    cancelled.scheduled?.cancel()
    #expect(cancelled.captured == nil)

    let run = Work(on: queue, at: queue.now) { ran.signal() }
    #expect(ran.waitOrGiveUp())
    // Once the queue has come to this, it is done with the work before it.
    queue.sync {}
    #expect(run.captured == nil)
  }

  @Test func `C7: dropped on a queue with its timer armed, a callback goes with its captures`() {
    let queue = DispatchQueue(label: "timers")
    weak var captured: Canary?
    weak var weakCallback: CoalescingCallback?
    do {
      let canary = Canary()
      let callback = CoalescingCallback(queue: queue, policy: .debounce(.seconds(1000))) {
        withExtendedLifetime(canary) {}
      }
      callback.schedule()
      (captured, weakCallback) = (canary, callback)
    }
    #expect(weakCallback == nil)
    #expect(captured == nil)
  }
}

/// Scheduled work, and a look at what it captured.
private final class Work {
  private final class Captive: Sendable {}

  private(set) weak var captured: AnyObject?
  var scheduled: (any ScheduledWork)?

  init(
    on scheduler: any EventScheduler, at deadline: EventInstant, _ body: @escaping @Sendable () -> Void = {}
  ) {
    let captive = Captive()
    captured = captive
    scheduled = scheduler.schedule(at: deadline, tolerance: .zero) { withExtendedLifetime(captive, body) }
  }
}
