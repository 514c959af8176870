import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

/// M1 and M2, with a lazy event in virtual time.
struct SimpleMailboxTests {
  private let scheduler = TestScheduler()
  private let event: LazySimpleEvent
  private let recorder: EventRecorder

  init() {
    event = LazySimpleEvent(on: scheduler)
    recorder = EventRecorder(event, on: scheduler)
  }

  /// Returns the number of notifications that an action causes.
  private func notifications(_ action: () -> Void) -> Int {
    recorder.removeAll()
    action()
    scheduler.run()
    return recorder.count
  }

  @Test("M1: a mailbox holds at most one value")
  func holdsOneValue() {
    let mailbox = SimpleMailbox<String>(event: event)
    #expect(mailbox.value == nil)
    #expect(!mailbox.hasValue)
    mailbox.replaceEvenIfSame("a")
    mailbox.replaceEvenIfSame("b")
    #expect(mailbox.value == "b")
    #expect(mailbox.hasValue)
    #expect(mailbox.take() == "b")
    #expect(mailbox.take() == nil)
    #expect(!mailbox.hasValue)
  }

  @Test("M1: placeIfFits does not overwrite a value")
  func placeIfFits() {
    let mailbox = SimpleMailbox<String>(event: event)
    #expect(mailbox.placeIfFits("a"))
    #expect(!mailbox.placeIfFits("b"))
    #expect(mailbox.value == "a")
  }

  @Test("M1: put and take trigger the event only if they change the mailbox")
  func triggersOnChange() {
    let mailbox = SimpleMailbox<Int>(event: event)
    #expect(notifications { _ = mailbox.take() } == 0, "take from an empty mailbox")
    #expect(notifications { mailbox.replace(1) } == 1)
    #expect(notifications { mailbox.replace(1) } == 0, "replace with an equal value")
    #expect(notifications { mailbox.replace(2) } == 1)
    #expect(notifications { mailbox.replaceEvenIfSame(2) } == 1)
    #expect(notifications { mailbox.placeIfFits(3) } == 0, "a value that does not fit")
    #expect(notifications { _ = mailbox.value } == 0)
    #expect(notifications { _ = mailbox.take() } == 1)
    #expect(notifications { mailbox.placeIfFits(3) } == 1)
  }

  @Test("M2: a value can be an optional")
  func optionalValue() {
    let mailbox = SimpleMailbox<Int?>(event: event)
    #expect(!mailbox.hasValue)
    #expect(notifications { mailbox.replaceEvenIfSame(nil) } == 1)
    #expect(mailbox.hasValue)
    #expect(mailbox.value == .some(.none))
    #expect(!mailbox.placeIfFits(1))
    #expect(notifications { mailbox.replace(nil) } == 0)
    var taken: Int??
    #expect(notifications { taken = mailbox.take() } == 1)
    #expect(taken == .some(.none))
    #expect(!mailbox.hasValue)
    #expect(notifications { taken = mailbox.take() } == 0)
    #expect(taken == .none)
  }

  @Test("M2: a value can be neither Equatable nor Sendable")
  func plainValue() {
    final class Letter {}
    let mailbox = SimpleMailbox<Letter>(event: event)
    let letter = Letter()
    mailbox.placeIfFits(letter)
    #expect(mailbox.take() === letter)
  }

  @Test("M2: of several threads that take a value, exactly one receives it")
  func takenOnce() {
    let mailbox = SimpleMailbox<Int>(event: event)
    let taken = Mutex<[Int]>([])
    for round in 0..<500 {
      mailbox.placeIfFits(round)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        if let value = mailbox.take() {
          taken.withLock { $0.append(value) }
        }
      }
    }
    #expect(taken.withLock { $0 } == Array(0..<500))
  }

  @Test("M2: the comparison of values can use the mailbox")
  func reentrantComparison() {
    final class Nosy: Equatable {
      let mailbox: SimpleMailbox<Nosy>
      init(_ mailbox: SimpleMailbox<Nosy>) { self.mailbox = mailbox }
      static func == (lhs: Nosy, rhs: Nosy) -> Bool {
        lhs.mailbox.hasValue && false
      }
    }
    let mailbox = SimpleMailbox<Nosy>(event: event)
    mailbox.replace(Nosy(mailbox))
    let second = Nosy(mailbox)
    mailbox.replace(second)
    #expect(mailbox.take() === second)
  }

  @Test("M2: replacing and taking a value release the old value after the lock is released")
  func releasesOldValue() {
    let mailbox = SimpleMailbox<Canary>(event: event)
    weak var first: Canary?
    weak var second: Canary?
    do {
      // The deinitializer uses the mailbox, and would deadlock under the mailbox's lock.
      let canary = Canary { [mailbox] in _ = mailbox.hasValue }
      first = canary
      mailbox.placeIfFits(canary)
    }
    #expect(first != nil)
    do {
      let canary = Canary { [mailbox] in _ = mailbox.hasValue }
      second = canary
      mailbox.replaceEvenIfSame(canary)
    }
    #expect(first == nil)
    #expect(second != nil)
    _ = mailbox.take()
    #expect(second == nil)
  }
}
