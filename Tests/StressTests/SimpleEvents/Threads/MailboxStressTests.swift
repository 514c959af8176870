import Dispatch
import SimpleEvents
import TestSupport
import Testing

/// A mailbox that several threads use. No value is taken twice, and only a replaced value is lost.
@Suite(.serialized) struct MailboxStressTests {
  @Test("M2: each value that was placed is taken exactly once, and no other value is taken")
  func placeAndTake() {
    let rounds = Stress.rounds(2_000_000)
    let placed = Guarded<[Int]>([])
    let taken = Guarded<[Int]>([])
    let box = SimpleMailbox<Int>(event: LazySimpleEvent(on: DispatchQueue(label: "mail")))
    onThreads(4) { thread in
      var values: [Int] = []
      for round in 0..<rounds {
        let value = thread / 2 * rounds + round
        if thread % 2 == 0 {
          if box.placeIfFits(value) { values.append(value) }
        } else if let value = box.take() {
          values.append(value)
        }
      }
      if thread % 2 == 0 {
        placed.withLock { $0 += values }
      } else {
        taken.withLock { $0 += values }
      }
    }
    if let value = box.take() {
      taken.withLock { $0.append(value) }
    }
    #expect(!box.hasValue)
    let (expected, actual) = (placed.withLock { $0.sorted() }, taken.withLock { $0.sorted() })
    #expect(!expected.isEmpty)
    #expect(actual == expected)
  }

  @Test("M1, M2: an observer that is notified takes the newest value, and the last value is not lost")
  func replaceAndTake() {
    let queue = DispatchQueue(label: "mail")
    let event = LazySimpleEvent(on: queue)
    let box = SimpleMailbox<Int>(event: event)
    let rounds = Stress.rounds(200_000)
    let last = 4 * rounds
    let taken = Guarded<[Int]>([])
    let lastArrived = DispatchSemaphore(value: 0)
    let token = event.addObserver { _ in
      guard let value = box.take() else { return }
      taken.withLock { $0.append(value) }
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
    let values = taken.withLock { $0 }
    #expect(Set(values).count == values.count)
    #expect(values.last == last)
    withExtendedLifetime(token) {}
  }
}
