import Dispatch
import Foundation
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

/// Corners of several contracts, where what is obvious is wrong.
@Suite(.serialized) struct CornerCaseTests {
  private let misuses = MisuseLog()

  private final class Listener: SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  /// E5: were the actor kept by the registration, it would keep the token, and that the registration.
  @Test func `E5: a block keeps no actor alive`() async {
    actor Home {
      private var token: (any SimpleEventToken)?

      func observe(_ event: LazySimpleEvent) {
        event.addObserver(&token) { [weak self] _ in _ = self }
      }
    }
    let event = LazySimpleEvent(scheduler: TestScheduler())
    weak var weakHome: Home?
    do {
      let home = Home()
      weakHome = home
      await home.observe(event)
    }
    #expect(weakHome == nil)
  }

  /// An `any Error` is a box of its own, and as an object it is another one, which is gone at once.
  @Test func `H6: an object in an any Error is called, or refused`() {
    final class Fault: Error {}
    let hub = ObserverHub<any Error>(misuse: misuses.handler)
    let fault = Fault()
    hub.add(fault)
    var calls = 0
    hub.forEach { _ in calls += 1 }
    #expect(calls == 1 || misuses.kinds == [.notAnObject], "\(misuses.all.map(\.message))")
    hub.remove(fault)
  }

  @Test func `H6: a dead observer is flagged once when the event goes`() {
    do {
      let event = LazySimpleEvent(scheduler: TestScheduler(), misuse: misuses.handler)
      event.addObserver(Listener())
      event.trigger()
      event.flush()
    }
    #expect(misuses.kinds == [.neverRemoved])
  }

  /// A plain event says that observers may come and go from any thread.
  @Test func `H7: an observer that removes itself in its deinit on another thread is not accused`() {
    final class Mortal: SimpleEventObserver, @unchecked Sendable {
      let event: SimpleEvent
      let (begun, mayGo): (DispatchSemaphore, DispatchSemaphore)

      init(_ event: SimpleEvent, _ begun: DispatchSemaphore, _ mayGo: DispatchSemaphore) {
        (self.event, self.begun, self.mayGo) = (event, begun, mayGo)
      }

      func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}

      deinit {
        begun.signal()
        mayGo.wait()
        event.removeObserver(self)
      }
    }
    let event = SimpleEvent(misuse: misuses.handler)
    let (begun, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let handedOver = DispatchSemaphore(value: 0)
    let graveyard = DispatchQueue(label: "graveyard")
    do {
      let mortal = Mortal(event, begun, mayGo)
      event.addObserver(mortal)
      graveyard.async {
        handedOver.wait()
        withExtendedLifetime(mortal) {}
      }
    }
    handedOver.signal()
    begun.wait()
    event.trigger()
    mayGo.signal()
    graveyard.sync {}
    #expect(misuses.kinds == [])
  }

  @Test(.enabled(if: !Stress.isSanitized, "a sanitizer keeps a heap of its own"))
  func `C3: asking and cancelling while the queue is busy leaves no more than one timer`() async {
    // In a process of its own, where nothing else allocates.
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "busy")
      let mayGo = DispatchSemaphore(value: 0)
      let callback = CoalescingCallback(queue: queue, policy: .debounce(.seconds(60))) {}
      queue.async { mayGo.wait() }
      let before = residentBytes()
      for _ in 0..<100_000 {
        callback.schedule()
        callback.cancel()
      }
      let growth = residentBytes() - before
      mayGo.signal()
      if growth >= 4 << 20 {
        fatalError("\(growth) bytes were added")
      }
    }
  }

  @Test func `C8: an infinite interval never ends, also for a scheduler that runs all there is`() {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(scheduler: scheduler)
    let callback = CoalescingCallback(scheduler: scheduler, policy: .debounce(.seconds(Int64.max))) {
      recorder.record()
    }
    callback.schedule()
    scheduler.run()
    #expect(recorder.count == 0)
    #expect(scheduler.now < .distantFuture)
  }

  @Test func `S1: a tolerance below zero is none`() async {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "timers")
      let ran = DispatchSemaphore(value: 0)
      queue.schedule(at: queue.now, tolerance: .milliseconds(-1)) { ran.signal() }
      ran.wait()
    }
  }

  @Test func `S3: advancing by less than zero runs what is due now`() {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(scheduler: scheduler)
    scheduler.schedule { recorder.record() }
    scheduler.advance(by: .seconds(-1))
    #expect(recorder.count == 1)
  }

  @Test func `H6: no origin in the library is made up for an observer that was added by a function value`() {
    let event = SimpleEvent(misuse: misuses.handler)
    let listener = Listener()
    [listener, listener].forEach(event.addObserver)
    event.removeObserver(listener)
    #expect(misuses.all.count == 1)
    #expect(misuses.all.first?.message.contains("SimpleEvents/SimpleEvent.swift") == false)
  }

  @Test func `a policy without edges is flagged once, whoever it is given to`() {
    let policy = CoalescingPolicy.audit(.seconds(1))
    let mute = CoalescingPolicy.throttle(.seconds(1), edges: [])
    let scheduler = TestScheduler()
    let owners: [(String, (CoalescingPolicy) -> AnyObject)] = [
      (
        "CoalescingCallback",
        { CoalescingCallback(scheduler: scheduler, policy: $0, misuse: misuses.handler) {} }
      ),
      ("LazySimpleEvent", { LazySimpleEvent(scheduler: scheduler, policy: $0, misuse: misuses.handler) }),
      (
        "\"mine\"",
        { LazySimpleEvent(scheduler: scheduler, policy: $0, label: "mine", misuse: misuses.handler) }
      ),
      (
        "SimpleEventProxy",
        { SimpleEventProxy(scheduler: scheduler, policy: $0, events: [], misuse: misuses.handler) }
      ),
      (
        "SimpleEventGroupObserver",
        {
          SimpleEventGroupObserver(
            events: [], policy: $0, scheduler: scheduler, misuse: misuses.handler
          ) { _ in }
        }
      ),
    ]
    for (number, (name, make)) in owners.enumerated() {
      _ = make(policy)
      #expect(misuses.all.count == number)
      _ = make(mute)
      #expect(misuses.kinds == Array(repeating: .noEdges, count: number + 1))
      #expect(misuses.all.last?.message.contains(name) == true)
    }
  }

  @Test func `E8: a removed group observer lets go of what its block captured`() {
    let event = SimpleEvent()
    weak var captured: Canary?
    let observer: SimpleEventGroupObserver
    do {
      let canary = Canary()
      captured = canary
      observer = SimpleEventGroupObserver(events: event) { _ in withExtendedLifetime(canary) {} }
    }
    observer.remove()
    #expect(captured == nil)
    withExtendedLifetime(observer) {}
  }
}

/// What the process has in memory (Linux).
private func residentBytes() -> Int {
  let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
  return (pages.flatMap { Int($0) } ?? 0) * 4096
}
