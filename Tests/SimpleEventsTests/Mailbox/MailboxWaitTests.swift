import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// M3 without tasks: a wait resumes a closure in place of a continuation.
struct MailboxWaitTests {
  private let scheduler = TestScheduler()
  private let event: LazySimpleEvent
  private let recorder: EventRecorder
  private let mailbox: SimpleMailbox<Int>
  private let log = Log()

  init() {
    event = LazySimpleEvent(on: scheduler)
    recorder = EventRecorder(event, on: scheduler)
    mailbox = SimpleMailbox(event: event)
  }

  private func begin(_ name: String) -> MailboxWait<Int> {
    let wait = MailboxWait(mailbox: mailbox)
    wait.begin { [log] _ in log.add("\(name) \(wait.value.map { "\($0)" } ?? "nil")") }
    return wait
  }

  @Test("M3: a wait takes a value that is in the box, and the event is triggered")
  func takesAtOnce() {
    mailbox.placeIfFits(1)
    scheduler.run()
    _ = begin("a")
    #expect(log.entries == ["a 1"])
    #expect(!mailbox.hasValue)
    scheduler.run()
    #expect(recorder.count == 2)
  }

  @Test("M3: waits receive values in order, one each, and further values stay in the box")
  func inOrder() {
    _ = begin("a")
    _ = begin("b")
    _ = begin("c")
    #expect(mailbox.placeIfFits(1))
    #expect(!mailbox.hasValue)
    mailbox.replaceEvenIfSame(2)
    mailbox.replace(2)
    #expect(log.entries == ["a 1", "b 2", "c 2"])
    mailbox.replace(3)
    #expect(mailbox.value == 3)
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test("M3: a cancelled wait loses no value")
  func cancellation() {
    let waits = [begin("a"), begin("b"), begin("c")]
    waits[1].cancel()
    waits[0].cancel()
    #expect(log.entries == ["b nil", "a nil"])
    mailbox.replace(1)
    #expect(log.entries == ["b nil", "a nil", "c 1"])
    mailbox.replace(2)
    waits[2].cancel()
    #expect(waits[2].value == 1, "a cancellation that comes too late leaves the value to its wait")
    #expect(mailbox.take() == 2)
    let early = MailboxWait(mailbox: mailbox)
    early.cancel()
    mailbox.replace(3)
    early.begin { [log] _ in log.add("early") }
    #expect(log.entries.last == "early")
    #expect(early.value == nil)
    #expect(mailbox.take() == 3)
  }

  @Test("M2, M3: a wait can receive a value that is nil")
  func optionalValue() {
    let mailbox = SimpleMailbox<Int?>(event: event)
    let wait = MailboxWait(mailbox: mailbox)
    wait.begin { [log] _ in log.add("woken") }
    mailbox.replace(nil)
    #expect(log.entries == ["woken"])
    #expect(wait.value == .some(.none))
    #expect(!mailbox.hasValue)
  }

  @Test("M3: random sequences of puts, waits and cancellations lose no value and keep the order")
  func random() {
    for seed in Stress.seeds(2000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let mailbox = SimpleMailbox<Int>(event: event)
      let received = Log()
      var (waits, expected, next): ([MailboxWait<Int>?], [String], Int) = ([], [], 0)
      var box: Int?
      for step in 0..<20 {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          guard mailbox.placeIfFits(step) else { continue }
          let first = waits.indices.first { $0 >= next && waits[$0] != nil }
          if let first {
            expected.append("\(first) \(step)")
            next = first + 1
          } else {
            box = step
          }
        case 1:
          let index = waits.count
          let wait = MailboxWait(mailbox: mailbox)
          waits.append(wait)
          wait.begin { _ in if let value = wait.value { received.add("\(index) \(value)") } }
          if let value = box {
            expected.append("\(index) \(value)")
            (box, next) = (nil, waits.count)
          }
        default:
          guard next < waits.count else { continue }
          let index = Int.random(in: next..<waits.count, using: &generator)
          waits[index]?.cancel()
          waits[index] = nil
        }
      }
      #expect(received.entries == expected, "seed \(seed)")
      #expect(mailbox.take() == box, "seed \(seed)")
    }
  }
}
