import Dispatch
import SimpleEvents
import Synchronization
import Testing

/// A mailbox between threads: no value is taken twice, and none is lost that was not replaced.
@Suite(.serialized) struct MailboxStressTests {
  /// Counts, for every value, how often it was taken.
  private final class Takings: Sendable {
    private let counts: [Count]

    private final class Count: Sendable {
      let value: Atomic<Int> = Atomic(0)
    }

    init(_ count: Int) {
      counts = (0..<count).map { _ in Count() }
    }

    func add(_ value: Int) {
      counts[value].value.wrappingAdd(1, ordering: .relaxed)
    }

    var all: [Int] { counts.map { $0.value.load(ordering: .relaxed) } }
  }

  @Test func `M2: what fitted is taken exactly once, and nothing else is`() {
    let rounds = Stress.rounds(200_000)
    let (fitted, taken) = (Takings(2 * rounds), Takings(2 * rounds))
    let box = SimpleMailbox<Int>(event: LazySimpleEvent(queue: DispatchQueue(label: "mail")))
    onThreads(4) { thread in
      for round in 0..<rounds {
        let value = thread / 2 * rounds + round
        if thread % 2 == 0 {
          if box.placeIfFits(value) { fitted.add(value) }
        } else if let value = box.take() {
          taken.add(value)
        }
      }
    }
    if let value = box.take() { taken.add(value) }
    #expect(!box.hasValue)
    #expect(taken.all == fitted.all)
    #expect(taken.all.contains(1))
    #expect(!taken.all.contains { $0 > 1 })
  }

  @Test func `M1, M2: whoever is told takes the newest value, and the last one is not lost`() {
    let queue = DispatchQueue(label: "mail")
    let event = LazySimpleEvent(queue: queue)
    let box = SimpleMailbox<Int>(event: event)
    let rounds = Stress.rounds(200_000)
    let last = 4 * rounds
    let taken = Takings(last + 1)
    let lastArrived = DispatchSemaphore(value: 0)
    let token = event.addObserver(isolation: nil) { _ in
      guard let value = box.take() else { return }
      taken.add(value)
      if value == last { lastArrived.signal() }
    }
    onThreads(4) { thread in
      for round in 0..<rounds {
        switch round % 3 {
        case 0: box.replaceEvenIfSame(thread * rounds + round)
        case 1: box.replace(thread * rounds + round)
        default: box.placeIfFits(thread * rounds + round)
        }
      }
    }
    box.replace(last)
    #expect(lastArrived.waitOrGiveUp())
    #expect(!taken.all.contains { $0 > 1 })
    withExtendedLifetime(token) {}
  }
}
