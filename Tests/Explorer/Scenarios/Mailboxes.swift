internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A user's value. It must be compared and released under no lock.
private final class Letter: Equatable {
  let number: Int
  private let tracked: LeakCheckedObject

  init(_ number: Int, _ alive: Counter) {
    self.number = number
    tracked = LeakCheckedObject(alive)
  }

  static func == (one: Letter, other: Letter) -> Bool {
    expectUnlocked()
    step()
    return one.number == other.number
  }
}

/// Two threads place values into an empty box, and a third thread takes them.
let mailboxPlaces: Scenario = Scenario("mailbox-place-take", "M1 M2") {
  let event = makeEvent(on: DispatchQueue(label: "queue"))
  let box = SimpleMailbox<Int>(event: event)
  var placed: [Int] = []
  var taken: [Int] = []
  parallel(
    { if box.placeIfFits(1) { placed.append(1) } },
    { if box.placeIfFits(2) { placed.append(2) } },
    {
      for _ in 0..<2 {
        if let value = box.take() {
          taken.append(value)
        }
      }
    })
  settle()
  if let value = box.take() {
    taken.append(value)
  }
  expect(taken.sorted() == placed.sorted(), "M2: a value is taken exactly once, and none is overwritten")
  expect(!placed.isEmpty && box.take() == nil, "M1: a box holds at most one value")
}

/// Two threads replace the value, and the delivery takes it.
let mailboxReplaces: Scenario = Scenario("mailbox-replace", "C2 H5 M1") {
  let event = makeEvent(on: DispatchQueue(label: "queue"))
  let alive = Counter()
  let box = SimpleMailbox<Letter>(event: event)
  var last: Letter?
  let token = event.observe {
    last = box.take() ?? last
  }
  parallel(
    { box.replaceEvenIfSame(Letter(1, alive)) },
    {
      box.replace(Letter(2, alive))
      box.replace(Letter(2, alive))
    })
  settle()
  expect(!box.hasValue, "C2: a put is followed by a delivery that finds it")
  expect(alive.value == 1 && last != nil, "M1: a box holds at most one value")
  last = nil
  token.remove()
}

/// Two threads replace the value by equal values. The event fires only for the first of them.
let mailboxEquals: Scenario = Scenario("mailbox-equal", "M1") {
  let queue = DispatchQueue(label: "queue")
  let event = makeEvent(on: queue)
  let alive = Counter()
  let calls = Counter()
  let box = SimpleMailbox<Letter?>(event: event)
  let token = event.observe { calls.value += 1 }
  parallel(
    { box.replace(Letter(1, alive)) },
    { box.replace(Letter(1, alive)) })
  settle()
  let first = calls.value
  box.replace(Letter(1, alive))
  settle()
  expect(first >= 1 && calls.value == first, "M1: an equal value does not trigger the event")
  expect(alive.value == 1, "M1: a box holds at most one value")
  expect(box.take() != nil && alive.value == 0, "M2: a box of optional values hands out the value it holds")
  token.remove()
}

/// One thread puts a value, and another thread replaces it by an equal value.
let mailboxEqualPut: Scenario = Scenario("mailbox-equal-put", "M1") {
  let event = makeEvent(on: DispatchQueue(label: "queue"))
  let alive = Counter()
  let box = SimpleMailbox<Letter>(event: event)
  let put = Letter(1, alive)
  parallel(
    { box.replace(Letter(1, alive)) },
    { box.replaceEvenIfSame(put) })
  expect(box.take() === put, "M1: an equal value does not replace the value of a box")
}
