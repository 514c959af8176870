import Dispatch
import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

@Suite struct SimpleMailboxTests {
  private let scheduler = TestScheduler()
  private let event: LazySimpleEvent
  private let recorder: EventRecorder

  init() {
    event = LazySimpleEvent(scheduler: scheduler)
    recorder = EventRecorder(event, scheduler: scheduler)
  }

  /// How many notifications an action causes.
  private func notifications(_ action: () -> Void) -> Int {
    recorder.removeAll()
    action()
    scheduler.run()
    return recorder.count
  }

  @Test func `M1 holds at most one value`() {
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

  @Test func `M1 placeIfFits never overwrites`() {
    let mailbox = SimpleMailbox<String>(event: event)
    #expect(mailbox.placeIfFits("a"))
    #expect(!mailbox.placeIfFits("b"))
    #expect(mailbox.value == "a")
  }

  @Test func `M1 put and take trigger the event, and what changes nothing does not`() {
    let mailbox = SimpleMailbox<Int>(event: event)
    #expect(notifications { _ = mailbox.take() } == 0, "take from an empty box")
    #expect(notifications { mailbox.replace(1) } == 1)
    #expect(notifications { mailbox.replace(1) } == 0, "replace with an equal value")
    #expect(notifications { mailbox.replace(2) } == 1)
    #expect(notifications { mailbox.replaceEvenIfSame(2) } == 1)
    #expect(notifications { mailbox.placeIfFits(3) } == 0, "a value that does not fit")
    #expect(notifications { _ = mailbox.value } == 0)
    #expect(notifications { _ = mailbox.take() } == 1)
    #expect(notifications { mailbox.placeIfFits(3) } == 1)
  }

  @Test func `M2 a value may be an optional itself`() {
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

  @Test func `M2 a value need not be Equatable, nor Sendable`() {
    final class Letter {}
    let mailbox = SimpleMailbox<Letter>(event: event)
    let letter = Letter()
    mailbox.placeIfFits(letter)
    #expect(mailbox.take() === letter)
  }

  @Test func `M2 a value is taken exactly once, whoever asks`() {
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

  @Test func `a comparison may use the mailbox`() {
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

  @Test func `an old value is let go by whoever replaces or takes it`() {
    weak var old: Canary?
    let mailbox = SimpleMailbox<Canary>(event: event)
    do {
      let canary = Canary { [mailbox] in _ = mailbox.hasValue }
      old = canary
      mailbox.placeIfFits(canary)
    }
    #expect(old != nil)
    mailbox.replaceEvenIfSame(Canary())
    #expect(old == nil)
    _ = mailbox.take()
  }
}
