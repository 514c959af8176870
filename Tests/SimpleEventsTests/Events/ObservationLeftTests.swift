import Dispatch
import Observation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// O1: a change is left to the iterators of an event while no other observer exists and no iterator waits.
struct ObservationLeftTests {
  @Observable final class Model: @unchecked Sendable {
    // SAFETY: the tests and the blocks of one virtual time use the property on one thread.
    var size: Int = 0
  }

  private let scheduler = TestScheduler()
  private let turns: CountingScheduler
  private let model = Model()
  private let log = Log()

  init() { turns = CountingScheduler(scheduler) }

  /// Returns an event whose closure logs its runs and notifications. The log is empty at the beginning.
  private func makeEvent(
    _ policy: CoalescingPolicy = .nextTurn, on distant: DistantScheduler? = nil
  ) -> (event: ObservationEvent, notifications: EventNotifications) {
    func make(on scheduler: some EventScheduler) -> ObservationEvent {
      ObservationEvent(on: scheduler, policy: policy) { [model, log] in log.add("run \(model.size)") }
    }
    let event = distant.map { make(on: $0) } ?? make(on: turns)
    scheduler.run()
    _ = log.take()
    return (event, event.notifications)
  }

  @Test("O1: the next call of an iterator runs the closure and takes the notification, without a turn")
  func taken() {
    let (event, notifications) = makeEvent()
    let cursor = notifications.cursor.makeCursor()
    for size in 1...3 {
      model.size = 10 * size
      model.size = size
      scheduler.run()
      #expect(log.entries.isEmpty)
      #expect(event.isPending)
      #expect(event.description.contains("pending"))
      #expect(cursor.take())
      #expect(log.entries == ["run \(size)"])
      #expect(!event.isPending)
      #expect(!cursor.take())
      _ = log.take()
    }
    #expect(turns.counts.turns == 0)
  }

  @Test("O1: if other observers exist, the closure and the notification take one turn")
  func oneTurn() {
    let (event, notifications) = makeEvent()
    let token = event.addObserver { [log] _ in log.add("notified") }
    let cursor = notifications.cursor.makeCursor()
    model.size = 1
    #expect(event.isPending && !cursor.take())
    scheduler.run()
    #expect(log.entries == ["run 1", "notified"])
    #expect(cursor.take())
    #expect(turns.counts.turns == 1)
    withExtendedLifetime(token) {}
  }

  @Test("O1: a change is not left to an iterator that waits")
  func waiting() {
    let (event, notifications) = makeEvent()
    let (first, second) = (notifications.cursor.makeCursor(), event.notifications.cursor.makeCursor())
    second.wait { [log] _ in log.add("woken") }
    model.size = 1
    scheduler.run()
    #expect(log.entries == ["run 1", "woken"])
    #expect(first.take() && second.take())
    #expect(!event.isPending)
  }

  @Test("O1: an iterator that begins to wait requests the turn for a change that happens in between")
  func waitBegins() {
    let (_, notifications) = makeEvent()
    let cursor = notifications.cursor.makeCursor()
    #expect(!cursor.take())
    model.size = 1
    cursor.wait { [log] _ in log.add("woken") }
    scheduler.run()
    #expect(log.entries == ["run 1", "woken"])
    #expect(cursor.take())
  }

  @Test(
    "O1: several iterators share the run of the closure in the first call, and each gets a notification")
  func severalIterators() {
    let (event, notifications) = makeEvent()
    let cursors = [notifications, notifications, event.notifications].map { $0.cursor.makeCursor() }
    model.size = 1
    #expect(cursors.allSatisfy { $0.take() })
    #expect(log.entries == ["run 1"])
    #expect(!cursors.contains { $0.take() })
  }

  @Test("O1: an observer that is added receives the notification of a change that was left to iterators")
  func observerAdded() {
    final class Observer: SimpleEventObserver {
      let log: Log
      init(_ log: Log) { self.log = log }
      func simpleEventDidTrigger(_ event: any SimpleEventObservable) { log.add("notified") }
    }
    let (event, notifications) = makeEvent()
    let cursor = notifications.cursor.makeCursor()
    let observer = Observer(log)
    var token: (any SimpleEventToken)?
    let additions: [() -> Void] = [
      { [log] in token = event.addObserver { _ in log.add("notified") } },
      { [log] in event.addObserver(&token) { _ in log.add("notified") } },
      { event.addObserver(observer) },
    ]
    for add in additions {
      model.size += 1
      #expect(log.entries.isEmpty)
      add()
      scheduler.run()
      #expect(log.entries == ["run \(model.size)", "notified"])
      #expect(cursor.take() && !event.isPending)
      token = nil
      _ = log.take()
    }
    event.removeObserver(observer)
    model.size = 9
    #expect(cursor.take(), "a removed observer is none")
  }

  @Test("O1: next() off the scheduler requests a turn, and the closure runs on the scheduler")
  func elsewhere() {
    let distant = DistantScheduler(base: scheduler)
    let (event, notifications) = makeEvent(on: distant)
    let cursor = notifications.cursor.makeCursor()
    _ = cursor.consume()
    model.size = 1
    scheduler.run()
    #expect(log.entries.isEmpty && event.isPending)
    #expect(!cursor.take())
    #expect(log.entries.isEmpty)
    scheduler.run()
    #expect(log.entries == ["run 1"])
    #expect(cursor.take())
  }

  @Test(
    "O1, C7: flush() delivers a change that is left, and cancel() drops it, on the scheduler or off it")
  func concluded() {
    let distant = DistantScheduler(base: scheduler)
    for other in [nil, distant] {
      let (event, notifications) = makeEvent(on: other)
      let cursor = notifications.cursor.makeCursor()
      _ = cursor.consume()
      model.size += 1
      event.cancel()
      #expect(!event.isPending)
      // After a cancellation off the scheduler, the closure runs and a notification follows.
      scheduler.run()
      #expect(cursor.take() == (other != nil))
      #expect(log.entries == ["run \(model.size)"])
      model.size += 1
      if other == nil { event.flush() }
      #expect(event.isPending == (other != nil))
      #expect(cursor.take() == (other == nil))
      scheduler.run()
      #expect(cursor.take() == (other != nil))
    }
  }

  @Test("O1, E4: a direct trigger and a change that is left give one notification")
  func triggered() {
    let (event, notifications) = makeEvent()
    let cursor = notifications.cursor.makeCursor()
    model.size = 1
    event.trigger()
    scheduler.run()
    #expect(log.entries == ["run 1"])
    #expect(cursor.take() && !cursor.take())
    event.trigger()
    model.size = 2
    #expect(cursor.take())
    scheduler.run()
    #expect(!cursor.take())
    #expect(log.entries == ["run 1", "run 2"])
  }

  @Test("O1, N3: a change is not left to iterators that have ended")
  func iteratorsEnd() {
    let (event, notifications) = makeEvent()
    let cursors = [notifications.cursor, notifications.cursor.makeCursor()]
    model.size = 1
    for cursor in cursors { cursor.end() }
    scheduler.run()
    #expect(log.entries == ["run 1"])
    model.size = 2
    #expect(event.isPending)
    scheduler.run()
    #expect(!event.isPending)
  }

  @Test("O1: an event with a window or a monitor leaves no change to iterators")
  func notLeft() {
    let (_, notifications) = makeEvent(.audit(.milliseconds(10)))
    let cursor = notifications.cursor.makeCursor()
    model.size = 1
    scheduler.advance(toMilliseconds: 9)
    #expect(!cursor.take())
    scheduler.advance(toMilliseconds: 10)
    #expect(cursor.take())
    let monitor = MonitorLog()
    let (event, watched) = withCoalescingMonitor(monitor) { makeEvent() }
    let watchedCursor = watched.cursor.makeCursor()
    model.size = 2
    #expect(!watchedCursor.take())
    scheduler.run()
    #expect(watchedCursor.take())
    withExtendedLifetime(event) {}
  }

  @Test("O1, E9: a closure of another actor is flagged before an iterator runs it", .enabled(if: isDebug))
  func isolation() {
    let misuses = MisuseLog()
    let queue = DispatchQueue(label: "model")
    let event = ObservationEvent(on: queue, misuse: misuses.handler) { @MainActor [model] in _ = model.size }
    let cursor = event.notifications.cursor.makeCursor()
    queue.sync {}
    _ = cursor.consume()
    queue.sync {
      model.size = 1
      #expect(misuses.kinds == [.wrongIsolation])
      #expect(cursor.take())
    }
    #expect(misuses.kinds == [.wrongIsolation, .wrongIsolation])
  }

  @Test("O1, O4: an event with a change that is left is deallocated with its last iterator")
  func deallocation() {
    weak var captured: Canary?
    weak var weakEvent: ObservationEvent?
    var notifications: EventNotifications?
    do {
      let canary = Canary()
      let event = ObservationEvent(on: turns) { [model] in withExtendedLifetime(canary) { _ = model.size } }
      notifications = event.notifications
      (captured, weakEvent) = (canary, event)
    }
    model.size = 1
    #expect(weakEvent?.isPending == true)
    notifications = nil
    #expect(weakEvent == nil && captured == nil)
    scheduler.run()
    withExtendedLifetime(notifications) {}
  }

  @Test("O1: a body that changes its own model gives the actor no turn until the body waits")
  func ownChanges() throws {
    let (_, notifications) = makeEvent()
    try scheduler.run { [scheduler, model, log] in
      var iterator = notifications.makeAsyncIterator()
      scheduler.schedule { log.add("turn") }
      for size in 1...3 {
        model.size = size
        #expect(await iterator.next() != nil)
      }
      let waits = Task { await iterator.next() }
      waits.cancel()
      #expect(await waits.value == nil)
    }
    #expect(log.entries == ["run 1", "run 2", "run 3", "turn"])
  }

  @Test("O1, N3: a cancelled task does not take a change that is left")
  func cancelled() throws {
    let (event, notifications) = makeEvent()
    try scheduler.run { [model, log] in
      let loop = Task {
        var iterator = notifications.makeAsyncIterator()
        model.size = 1
        withUnsafeCurrentTask { $0?.cancel() }
        #expect(await iterator.next() == nil)
      }
      await loop.value
      #expect(log.entries.isEmpty && event.isPending, "the sequence observes the event")
    }
  }
}
