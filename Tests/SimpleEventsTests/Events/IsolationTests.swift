import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E9. What is flagged in debug builds, and costs nothing in release builds.
@Suite(.serialized) struct IsolationTests {
  private let misuses = MisuseLog()

  private func expectFlags(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let expected = Array(repeating: Misuse.Kind.wrongIsolation, count: isDebug ? count : 0)
    #expect(misuses.kinds == expected, sourceLocation: sourceLocation)
  }

  @Test @MainActor func `E9 a main actor's block that is called elsewhere is flagged, with its origin`() async
  {
    let queue = DispatchQueue(label: "elsewhere")
    let event = LazySimpleEvent(queue: queue, label: "the event", misuse: misuses.handler)
    let isDone = DispatchSemaphore(value: 0)
    let block: @Sendable (any SimpleEventObservable) -> Void = { _ in isDone.signal() }
    let token = event.addObserver(block)
    let line: UInt = #line - 1
    event.trigger()
    await wait(isDone)
    expectFlags(1)
    if isDebug {
      let misuse = misuses.all[0]
      #expect(misuse.line == line)
      for part in ["the event", "MainActor", "isolation: nil", "IsolationTests.swift:\(line)"] {
        #expect(misuse.message.contains(part))
      }
    }
    token?.remove()
  }

  @Test @MainActor func `E9 a block that may run anywhere says so`() async {
    let event = LazySimpleEvent(queue: DispatchQueue(label: "elsewhere"), misuse: misuses.handler)
    let isDone = DispatchSemaphore(value: 0)
    let block: @Sendable (any SimpleEventObservable) -> Void = { _ in isDone.signal() }
    let token = event.addObserver(isolation: nil, block)
    event.trigger()
    await wait(isDone)
    expectFlags(0)
    token?.remove()
  }

  @Test @MainActor func `E9 a main actor's block on the main queue is where it belongs`() async {
    let lazy = LazySimpleEvent(misuse: misuses.handler)
    let direct = SimpleEvent(misuse: misuses.handler)
    var count = 0
    let first = direct.addObserver { _ in count += 1 }
    var second: (any SimpleEventToken)?
    direct.trigger()
    await withCheckedContinuation { continuation in
      lazy.addObserver(&second) { _ in
        count += 1
        continuation.resume()
      }
      lazy.trigger()
    }
    #expect(count == 2)
    expectFlags(0)
    first?.remove()
    second?.remove()
  }

  @Test func `E9 an actor's block is at home on its actor only`() async {
    actor Home {
      nonisolated let event: LazySimpleEvent
      private var token: (any SimpleEventToken)?

      init(_ scheduler: any EventScheduler, _ misuse: MisuseHandler) {
        event = LazySimpleEvent(scheduler: scheduler, misuse: misuse)
      }

      func observe() {
        event.addObserver(&token) { _ in }
      }

      func deliver(_ scheduler: TestScheduler) {
        event.trigger()
        scheduler.run()
      }
    }
    let scheduler = TestScheduler()
    let home = Home(scheduler, misuses.handler)
    await home.observe()
    await home.deliver(scheduler)
    expectFlags(0)
    home.event.trigger()
    scheduler.run()
    expectFlags(1)
  }

  @Test func `E9 a block registered outside any actor may be called anywhere`() {
    let event = SimpleEvent(misuse: misuses.handler)
    let token = event.addObserver { _ in }
    event.trigger()
    expectFlags(0)
    token?.remove()
  }

  /// Waits off the main actor, so that the main queue is free.
  private nonisolated func wait(_ semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }
}
