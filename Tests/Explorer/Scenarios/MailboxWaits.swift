internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// The results of waits at one mailbox, in the order in which the waits ended.
private final class Outcomes: @unchecked Sendable {
  // SAFETY: all fibers run on one thread.
  private(set) var values: [Int: Int] = [:]
  private(set) var order: [Int] = []

  func begin(_ number: Int, at box: SimpleMailbox<Int>) -> MailboxWait<Int> {
    let wait = MailboxWait(mailbox: box)
    wait.begin { [self] _ in
      expectUnlocked()
      expect(!order.contains(number), "M3: a wait ends once")
      order.append(number)
      values[number] = wait.value
    }
    return wait
  }
}

private func makeBox() -> SimpleMailbox<Int> {
  SimpleMailbox(event: makeEvent(on: DispatchQueue(label: "queue")))
}

/// Two threads wait, and a third thread puts two values.
let mailboxWaits: Scenario = Scenario("mailbox-waits", "M1 M3") {
  let box = makeBox()
  let outcomes = Outcomes()
  var placed: [Int] = []
  parallel(
    { _ = outcomes.begin(1, at: box) },
    { _ = outcomes.begin(2, at: box) },
    { for value in [10, 20] where box.placeIfFits(value) { placed.append(value) } })
  let left = box.take().map { [$0] } ?? []
  expect((outcomes.values.values + left).sorted() == placed, "M3: each value goes to exactly one wait")
  expect(left.isEmpty || outcomes.order.count == 2, "M3: a value in the box goes to a wait")
}

/// A wait is cancelled while a value is put. Another wait is queued behind it.
let mailboxCancelledWait: Scenario = Scenario("mailbox-cancelled-wait", "M3") {
  let box = makeBox()
  let outcomes = Outcomes()
  let first = outcomes.begin(1, at: box)
  _ = outcomes.begin(2, at: box)
  parallel(
    { first.cancel() },
    { box.replaceEvenIfSame(10) })
  expect(outcomes.order.contains(1), "M3: a cancelled wait ends")
  expect(
    outcomes.values == [1: 10] || outcomes.values == [2: 10], "M3: cancelling a wait loses no value")
  expect(!box.hasValue, "M3: a value goes to the wait behind a cancelled one")
}

/// A wait is cancelled before it begins or while it begins, and a value is put.
let mailboxEarlyCancellation: Scenario = Scenario("mailbox-early-cancellation", "M3") {
  let box = makeBox()
  let woken = Counter()
  let wait = MailboxWait(mailbox: box)
  parallel(
    { wait.begin { _ in woken.value += 1 } },
    { wait.cancel() },
    { _ = box.placeIfFits(10) })
  expect(woken.value == 1, "M3: a wait ends once")
  expect((wait.value == 10) != (box.take() == 10), "M3: cancelling a wait loses no value")
}

/// A wait is cancelled before it begins or while it begins, and no value is put.
let mailboxWaitWithoutValue: Scenario = Scenario("mailbox-wait-without-value", "M3") {
  let box = makeBox()
  let woken = Counter()
  let wait = MailboxWait(mailbox: box)
  parallel(
    { wait.begin { _ in woken.value += 1 } },
    { wait.cancel() })
  expect(woken.value == 1, "M3: a cancelled wait ends without a value")
  expect(wait.value == nil, "M3: a cancelled wait has no value")
}

/// The scenarios of waits at mailboxes.
let mailboxWaitScenarios: [Scenario] = [
  mailboxWaits, mailboxCancelledWait, mailboxEarlyCancellation, mailboxWaitWithoutValue,
]
