import Dispatch
import Observation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// O1 to O4 in virtual time.
struct ObservationEventTests {
  @Observable final class Model {
    var title: String = ""
    var size: Int = 0
    var isOpen: Bool = false
  }

  private let scheduler = TestScheduler()
  private let model = Model()

  private func makeEvent(
    _ policy: CoalescingPolicy = .nextTurn, _ block: @escaping () -> Void
  ) -> (ObservationEvent, EventRecorder) {
    let event = ObservationEvent(on: scheduler, policy: policy, block)
    return (event, EventRecorder(event, on: scheduler))
  }

  @Test("O1: changes of several properties in one turn give one notification")
  func oncePerTurn() {
    let (event, recorder) = makeEvent { [model] in _ = (model.title, model.size) }
    for round in 1...3 {
      model.title = "\(round)"
      model.size = round
      model.title += "!"
      #expect(event.isPending)
      scheduler.run()
      #expect(recorder.count == round)
    }
  }

  @Test("O1: only properties that the latest run of the closure has read count")
  func readProperties() {
    let (event, recorder) = makeEvent { [model] in if model.isOpen { _ = model.size } }
    func count(_ change: () -> Void) -> Int {
      recorder.removeAll()
      change()
      scheduler.run()
      return recorder.count
    }
    #expect(count { model.title = "a" } == 0)
    #expect(count { model.size = 1 } == 0)
    #expect(count { model.isOpen = true } == 1)
    #expect(count { model.size = 2 } == 1)
    #expect(count { model.isOpen = false } == 1)
    #expect(count { model.size = 3 } == 0)
    withExtendedLifetime(event) {}
  }

  @Test("O1: an expression over several models is one event")
  func severalModels() {
    let other = Model()
    let (event, recorder) = makeEvent { [model] in _ = model.size + other.size }
    model.size = 1
    other.size = 1
    scheduler.run()
    #expect(recorder.count == 1)
    other.size = 2
    scheduler.run()
    #expect(recorder.count == 2)
    withExtendedLifetime(event) {}
  }

  @Test("O1: the policy counts every change, because the closure runs again on the next turn")
  func policies() {
    let (event, recorder) = makeEvent(.debounce(.milliseconds(10))) { [model] in _ = model.size }
    for millisecond in stride(from: 0, through: 16, by: 4) {
      scheduler.advance(toMilliseconds: millisecond)
      model.size += 1
      scheduler.advance()
    }
    scheduler.run()
    #expect(recorder.milliseconds == [26], "each change slides the window")
    withExtendedLifetime(event) {}
  }

  @Test("O2: observers see the new values, and a change by an observer gives one more notification")
  func newValues() {
    var seen: [Int] = []
    let event = ObservationEvent(on: scheduler) { [model] in _ = model.size }
    let token = event.addObserver { [model] _ in
      seen.append(model.size)
      if model.size < 3 { model.size += 1 }
    }
    model.size = 1
    #expect(seen == [])
    scheduler.run()
    #expect(seen == [1, 2, 3])
    withExtendedLifetime(token) {}
  }

  @Test("O2: the closure runs before a delivery that was requested before the change")
  func renewalFirst() {
    var seen: [Int] = []
    let (event, _) = makeEvent { [model] in _ = model.size }
    let token = event.addObserver { [model] _ in
      seen.append(model.size)
      if model.size == 1 { model.size = 2 }
    }
    event.trigger()
    model.size = 1
    scheduler.run()
    #expect(seen == [1, 2])
    model.size = 1
    event.flush()
    #expect(seen == [1, 2, 1])
    scheduler.run()
    #expect(seen == [1, 2, 1, 2], "the change by the observer is not lost after a flush")
    withExtendedLifetime(token) {}
  }

  @Test("O2: a change after a cancellation is not part of the cancelled delivery")
  func cancellation() {
    let (event, recorder) = makeEvent { [model] in _ = model.size }
    model.size = 1
    event.cancel()
    scheduler.run()
    #expect(recorder.count == 0)
    model.size = 2
    event.cancel()
    model.size = 3
    scheduler.run()
    #expect(recorder.count == 1)
    model.size = 4
    scheduler.run()
    #expect(recorder.count == 2)
  }

  @Test("O2: an event that is created off its scheduler begins on the next turn, and notifies once")
  func createdElsewhere() {
    let queue = DispatchQueue(label: "model")
    let isOnQueue = Log()
    let counted = DispatchSemaphore(value: 0)
    queue.suspend()
    let event = ObservationEvent(on: queue) { @Sendable in isOnQueue.add("\(queue.isCurrent)") }
    let token = event.addObserver { @Sendable _ in counted.signal() }
    #expect(isOnQueue.entries == [])
    queue.resume()
    #expect(counted.waitOrGiveUp())
    #expect(isOnQueue.entries == ["true"])
    withExtendedLifetime(token) {}
  }

  @Test("O4: a deallocated event ends its observation, and the models keep no reference to the event")
  func deallocation() {
    weak var captured: Canary?
    weak var weakEvent: ObservationEvent?
    let calls = Log()
    do {
      let canary = Canary()
      let (event, _) = makeEvent { [model] in
        calls.add("run")
        withExtendedLifetime(canary) { _ = model.size }
      }
      (captured, weakEvent) = (canary, event)
      model.size = 1
      scheduler.run()
      model.size = 2
    }
    #expect(weakEvent == nil)
    #expect(captured == nil)
    scheduler.run()
    model.size = 3
    scheduler.run()
    #expect(calls.entries == ["run", "run"])
  }

  @Test("O4: a setter that releases the last reference releases no object of the program under its lock")
  func deallocationDuringChange() {
    let model = LockedModel()
    let log = Log()
    let owner = Owner()
    // A change requests a turn. Here, the request makes the owner release the event.
    let noticing = NoticingScheduler(scheduler) { owner.release() }
    let captured = { Canary { log.add(model.isLocked ? "locked" : "unlocked") } }
    let token = owner.keep(
      ObservationEvent(on: noticing) { [canary = captured()] in
        withExtendedLifetime(canary) { _ = model.size }
      }
    ).addObserver { [canary = captured()] _ in withExtendedLifetime(canary) {} }
    model.size = 1
    #expect(log.entries == [])
    scheduler.run()
    #expect(log.entries == ["unlocked", "unlocked"])
    withExtendedLifetime(token) {}
  }

  @Test("O4, E9: a closure of another actor is flagged before it runs", .enabled(if: isDebug))
  func isolation() {
    let misuses = MisuseLog()
    let queue = DispatchQueue(label: "model")
    let line: UInt = #line + 1
    let event = ObservationEvent(on: queue, label: "observed", misuse: misuses.handler) { @MainActor in }
    queue.sync {}
    #expect(misuses.kinds == [.wrongIsolation])
    #expect(misuses.all.first?.line == line)
    #expect(misuses.messages.first?.contains("ObservationEvent \"observed\"") == true)
    withExtendedLifetime(event) {}
  }

  @Test("O1: models that change in every order of reads and writes give exact counts")
  func exactness() {
    for seed in Stress.seeds(2000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let model = Model()
      var seen = 0
      var notified = 0
      let event = ObservationEvent(on: scheduler) { _ = (model.size, model.title) }
      let token = event.addObserver { _ in
        notified += 1
        seen = model.size
      }
      var expected = 0
      for _ in 0..<8 {
        var isChanged = false
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          model.size += 1
          if Bool.random(using: &generator) { model.title += "a" }
          isChanged = true
        }
        expected += isChanged ? 1 : 0
        scheduler.advance(by: .milliseconds(1))
        #expect(seen == model.size, "seed \(seed)")
      }
      #expect(notified == expected, "seed \(seed)")
      token?.remove()
    }
  }
}

/// A model that records whether its setter is running. The record stands for the lock of the setter.
private final class LockedModel: Observable {
  private let registrar = ObservationRegistrar()
  private var stored: Int = 0
  private(set) var isLocked: Bool = false

  var size: Int {
    get {
      registrar.access(self, keyPath: \.size)
      return stored
    }
    set {
      isLocked = true
      registrar.withMutation(of: self, keyPath: \.size) { stored = newValue }
      isLocked = false
    }
  }
}

/// The owner of an event. It releases the event on any thread.
private final class Owner: Sendable {
  private let event: Guarded<ObservationEvent?> = Guarded(nil)

  func keep(_ event: ObservationEvent) -> ObservationEvent {
    _ = self.event.exchange(event)
    return event
  }

  func release() { _ = event.exchange(nil) }
}

/// A scheduler that calls a closure when work is scheduled.
private final class NoticingScheduler: EventScheduler {
  private let base: TestScheduler
  private let onWork: @Sendable () -> Void

  init(_ base: TestScheduler, _ onWork: @escaping @Sendable () -> Void) {
    self.base = base
    self.onWork = onWork
  }

  var now: EventInstant { base.now }
  var isCurrent: Bool { base.isCurrent }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    base.schedule(work)
    onWork()
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    base.schedule(at: deadline, tolerance: tolerance, work)
  }
}
