import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L9: the moments at which a batch loop releases its elements, under no lock.
struct BatchReleaseTests {
  private struct Failure: Error {}

  /// An element whose deinitializer uses the loop. It would deadlock under the loop's lock.
  private final class Element: Sendable {
    private let relay: Relay

    init(_ relay: Relay) {
      self.relay = relay
      relay.alive.withLock { $0 += 1 }
    }

    deinit {
      relay.alive.withLock { $0 -= 1 }
      _ = relay.loop.withLock { $0 }?.value?.isPending
    }
  }

  private final class Relay: Sendable {
    struct Weak: Sendable { weak let value: BatchLoop<Element>? }

    let loop: Guarded<Weak?> = Guarded(nil)
    let alive: Guarded<Int> = Guarded(0)
    var count: Int { alive.withLock { $0 } }
  }

  private let scheduler = TestScheduler()
  private let relay = Relay()

  /// Returns a loop whose runs take 10 ms and fail the given number of times.
  private func loop(keeping limit: ElementLimit<Element>, failures: Int = 0) -> BatchLoop<Element> {
    let left = Guarded(failures)
    let loop = BatchLoop<Element>(
      on: scheduler, keeping: limit, retry: .constant(.milliseconds(10))
    ) { [scheduler] _ in
      try await scheduler.clock.sleep(for: .milliseconds(10))
      let fails = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails { throw Failure() }
    } onError: { _, _ in
    }
    _ = relay.loop.exchange(Relay.Weak(value: loop))
    return loop
  }

  private func add(_ count: Int, to loop: BatchLoop<Element>) {
    for _ in 0..<count { loop.add(Element(relay)) }
  }

  @Test("L9: displaced elements are released immediately, and elements of a batch at the end of its run")
  func runs() {
    let loop = loop(keeping: .newest(3))
    add(5, to: loop)
    #expect(relay.count == 3)
    scheduler.advance(by: .milliseconds(5))
    #expect(relay.count == 3)
    scheduler.advance(by: .milliseconds(5))
    #expect(relay.count == 0)
  }

  @Test("L9: a retried batch is merged and released under no lock")
  func merges() {
    let loop = loop(keeping: .newest(3), failures: 1)
    add(3, to: loop)
    scheduler.advance(by: .milliseconds(15))
    add(2, to: loop)
    #expect(relay.count == 5)
    scheduler.advance(by: .milliseconds(10))
    #expect(relay.count == 3)
    scheduler.run()
    #expect(relay.count == 0)
    withExtendedLifetime(loop) {}
  }

  @Test("L9: cancel, stop, finish and deallocation release the elements", arguments: 0..<4)
  func ends(_ end: Int) {
    var loop: BatchLoop<Element>? = loop(keeping: .newest(3), failures: 1)
    add(3, to: loop!)
    scheduler.advance(by: .milliseconds(15))
    add(3, to: loop!)
    #expect(relay.count == 6)
    switch end {
    case 0: loop?.cancel()
    case 1: Task(executorPreference: scheduler) { [loop] in await loop?.stop() }
    case 2: Task(executorPreference: scheduler) { [loop] in await loop?.finish() }
    default: loop = nil
    }
    scheduler.advance()
    if end != 2 { #expect(relay.count == 0) }
    scheduler.run()
    #expect(relay.count == 0)
    withExtendedLifetime(loop) {}
  }

  @Test("L9: an element that is added after the end is released immediately")
  func afterEnd() async {
    let loop = loop(keeping: .newest(3))
    await loop.finish()
    add(3, to: loop)
    #expect(relay.count == 0)
  }
}
