import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The captures of blocks and of scheduled work. They are released at the times that the contracts state.
struct CaptureTests {
  /// The ways to remove a block.
  enum Removal: CaseIterable {
    case remove
    case drop
    case replace
  }

  /// A token, and a weak reference to a capture of its block.
  private final class Subject {
    var token: (any SimpleEventToken)?
    weak var captured: Canary?

    init(_ event: any SimpleEventObservable, _ body: @escaping () -> Void = {}) {
      let canary = Canary()
      captured = canary
      token = event.addObserver { _ in withExtendedLifetime(canary, body) }
    }

    func remove(from event: any SimpleEventObservable, by removal: Removal) {
      switch removal {
      case .remove: token?.remove()
      case .drop: token = nil
      case .replace: event.addObserver(&token) { _ in }
      }
    }
  }

  @Test(
    "E5: outside a cycle a removed block's captures are released immediately", arguments: Removal.allCases)
  func removalOutsideCycle(_ removal: Removal) {
    let event = SimpleEvent()
    let subject = Subject(event)
    event.trigger()
    #expect(subject.captured != nil)
    subject.remove(from: event, by: removal)
    #expect(subject.captured == nil)
  }

  @Test(
    "E5: inside a cycle the captures of removed blocks, even the running one, are released by its end",
    arguments: Removal.allCases)
  func removalInsideCycle(_ removal: Removal) {
    let event = SimpleEvent()
    var subjects: [Subject] = []
    var calls = 0
    for index in 0..<3 {
      subjects.append(
        Subject(event) {
          calls += 1
          guard index == 1 else { return }
          for subject in subjects {
            subject.remove(from: event, by: removal)
          }
        })
    }
    event.trigger()
    #expect(calls == 2, "the third block is removed before its turn")
    #expect(subjects.map { $0.captured == nil } == [true, true, true])
    subjects = []
  }

  @Test("S2: a test scheduler releases work that was cancelled or has run, although its handle is kept")
  func testSchedulerReleasesWork() {
    let scheduler = TestScheduler()
    let (cancelled, run) = (Work(on: scheduler, at: .ms(10)), Work(on: scheduler, at: .ms(10)))
    let dropped = Work(on: TestScheduler(), at: .ms(10))
    #expect(dropped.captured != nil, "the handle keeps its scheduler alive")
    cancelled.scheduled?.cancel()
    #expect(cancelled.captured == nil)
    #expect(run.captured != nil)
    scheduler.run()
    #expect(run.captured == nil)
    dropped.scheduled = nil
    #expect(dropped.captured == nil)
  }

  @Test("S2: a queue releases work that was cancelled or has run, although its handle is kept")
  func queueReleasesWork() {
    let queue = DispatchQueue(label: "timers")
    let ran = DispatchSemaphore(value: 0)
    let cancelled = Work(on: queue, at: queue.now.advanced(by: .seconds(1000)))
    #expect(cancelled.captured != nil)
    cancelled.scheduled?.cancel()
    #expect(cancelled.captured == nil)

    let run = Work(on: queue, at: queue.now) { ran.signal() }
    #expect(ran.waitOrGiveUp())
    // The queue has released the work before it runs this block.
    queue.sync {}
    #expect(run.captured == nil)
  }

  @Test("C7, E6: a callback that is deallocated while its timer is armed on a queue releases its captures")
  func callbackWithArmedTimer() {
    let queue = DispatchQueue(label: "timers")
    weak var captured: Canary?
    weak var weakCallback: CoalescingCallback?
    do {
      let canary = Canary()
      let callback = CoalescingCallback(on: queue, policy: .debounce(.seconds(1000))) {
        withExtendedLifetime(canary) {}
      }
      callback.schedule()
      (captured, weakCallback) = (canary, callback)
    }
    #expect(weakCallback == nil)
    #expect(captured == nil)
  }
}

/// Scheduled work, and a weak reference to its capture.
private final class Work {
  private final class Captive: Sendable {}

  private(set) weak var captured: AnyObject?
  var scheduled: (any ScheduledWork)?

  init(
    on scheduler: any EventScheduler, at deadline: EventInstant, _ body: @escaping @Sendable () -> Void = {}
  ) {
    let captive = Captive()
    captured = captive
    scheduled = scheduler.schedule(at: deadline) { withExtendedLifetime(captive, body) }
  }
}
