import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// M3 with tasks, in virtual time.
struct MailboxNextTests {
  @Test("M3: all runs give each value to one task, first come first served, and a cancellation loses none")
  func exactness() throws {
    for _ in 0..<Stress.rounds(2000) {
      let entries = try course()
      #expect(entries == ["a 1", "b cancelled", "c 2", "d 3", "e 4", "f cancelled"])
    }
  }

  @Test("M3: a mailbox is released once all waits for it were cancelled", arguments: [1, 2, 5, 40])
  func release(waits count: Int) {
    let log = Log()
    weak var released: SimpleMailbox<Canary>?
    do {
      let mailbox = SimpleMailbox<Canary>(event: nil)
      let waits = (0..<count).map { _ in MailboxWait(mailbox: mailbox) }
      for wait in waits { wait.begin { log.add("\($0)") } }
      // The first wait receives the value, and the other waits stay.
      mailbox.replaceEvenIfSame(Canary { log.add("released") })
      for wait in waits.dropFirst() { wait.cancel() }
      released = mailbox
    }
    #expect(released == nil)
    #expect(log.entries.count == count + 1)
  }

  private func course() throws -> [String] {
    let scheduler = TestScheduler()
    let log = Log()
    try scheduler.run {
      let mailbox = SimpleMailbox<Int>(event: LazySimpleEvent(on: scheduler))
      func wait(_ name: String) -> Task<Void, Never> {
        Task { log.add("\(name) \(await mailbox.next().map { "\($0)" } ?? "cancelled")") }
      }
      func pass() async throws { try await scheduler.clock.sleep(for: .milliseconds(1)) }
      var tasks = [wait("a"), wait("b"), wait("c")]
      try await pass()
      mailbox.replace(1)
      tasks[1].cancel()
      #expect(mailbox.placeIfFits(2))
      try await pass()
      #expect(!mailbox.hasValue)
      tasks.append(wait("d"))
      try await pass()
      mailbox.replace(3)
      tasks[3].cancel()  // This is too late: the value is already assigned.
      mailbox.replace(4)
      try await pass()
      tasks.append(wait("e"))
      try await pass()
      tasks.append(wait("f"))
      tasks[5].cancel()
      try await pass()
      mailbox.replace(5)
      #expect(mailbox.take() == 5)
    }
    return log.entries
  }

  @Test("M3: a mailbox without an event gives its values to tasks")
  func withoutEvent() throws {
    let scheduler = TestScheduler()
    let values = try scheduler.run {
      let mailbox = SimpleMailbox<Int>()
      let first = Task { await mailbox.next() }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      mailbox.replace(1)
      mailbox.replace(2)
      return [await first.value, await mailbox.next()]
    }
    #expect(values == [1, 2])
    #expect(scheduler.pendingCount == 0)
  }

  @MainActor private final class Letter {
    let text: String
    init(_ text: String) { self.text = text }
  }

  @MainActor
  @Test("M3: a value need not be Sendable, and a task stays on its actor")
  func plainValue() async throws {
    let scheduler = TestScheduler()
    let mailbox = SimpleMailbox<Letter>(event: LazySimpleEvent(on: scheduler))
    let text = try await scheduler.runOnMain {
      let task = Task { @MainActor in await mailbox.next()?.text }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      mailbox.placeIfFits(Letter("a"))
      return await task.value
    }
    #expect(text == "a")
  }
}
