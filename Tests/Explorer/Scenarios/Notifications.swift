internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

private func makeCursors(_ event: SimpleEvent) -> (NotificationCounter, NotificationCursor) {
  let source = NotificationCounter(DiagnosticSubject(SimpleEvent.self))
  return (source, NotificationCursor(of: source))
}

/// Two threads write and notify while a reader on a queue takes notifications and waits.
let notificationsTaken: Scenario = Scenario("notifications-taken", "N2") {
  let (source, cursor) = makeCursors(SimpleEvent())
  let data = (Datum(), Datum())
  let reader = Reader(cursor, on: DispatchQueue(label: "reader")) {
    data.0.read()
    data.1.read()
  }
  parallel(
    { reader.read() },
    {
      data.0.write()
      source.signal()
    },
    {
      data.1.write()
      source.signal()
    })
  settle()
  expect((1...2).contains(reader.count), "N2: a notification is taken, none more than once")
  expect(data.0.isSeen && data.1.isSeen, "N2: the writes before each notification are seen")
  source.finish()
  settle()
  expect(reader.hasEnded, "N3: the event's end ends the reader")
}

/// There are two readers of one source. The second reader begins later, and the first is cancelled.
let notificationsShared: Scenario = Scenario("notifications-shared", "N1 N2 N3") {
  let (source, root) = makeCursors(SimpleEvent())
  let queue = DispatchQueue(label: "readers")
  let first = Reader(root.makeCursor(), on: queue)
  var second: Reader?
  parallel(
    { first.read() },
    {
      source.signal()
      second = Reader(root.makeCursor(), on: queue)
      second!.read()
    },
    { first.cursor.end() })
  settle()
  expect(first.hasEnded, "N3: a cancelled reader ends")
  expect(second!.count == 1, "N1: a later reader has what was sent before")
  source.signal()
  settle()
  expect(second!.count == 2, "N2: a notification is taken")
  second!.cursor.end()
  settle()
  expect(second!.hasEnded, "N3: a cancelled reader ends")
}

/// The scheduler of an event is lost while two readers wait for the event's notifications. One of the readers
/// is cancelled.
let notificationsLost: Scenario = Scenario("notifications-lost", "N2 N3 S7") {
  let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
  let event = makeEvent(on: scheduler)
  let notifications = event.notifications
  let queue = DispatchQueue(label: "readers")
  let readers = [
    Reader(notifications.cursor.makeCursor(), on: queue),
    Reader(notifications.cursor.makeCursor(), on: queue),
  ]
  parallel(
    {
      event.trigger()
      readers[0].read()
    },
    {
      readers[1].read()
      readers[1].cursor.end()
    },
    { scheduler.lose() })
  settle()
  expect(readers[1].hasEnded, "N3: a cancelled reader ends")
  event.trigger()
  settle()
  expect(!event.isPending, "S7: nothing stays pending once the scheduler is lost")
  expect(readers[0].count <= 1, "N2: a notification is taken, none more than once")
  expect(readers[0].hasEnded, "S7: a reader ends when a notification is lost")
  withExtendedLifetime(notifications) {}
}

/// A reader that waits is woken while another reader begins.
let notificationsJoined: Scenario = Scenario("notifications-joined", "N2") {
  let (source, root) = makeCursors(SimpleEvent())
  let queue = DispatchQueue(label: "readers")
  let readers = [Reader(root.makeCursor(), on: queue), Reader(root.makeCursor(), on: queue)]
  readers[0].read()
  parallel(
    { readers[1].read() },
    {
      source.signal()
      source.signal()
    })
  settle()
  for reader in readers {
    expect(!reader.cursor.consume(), "N2: a reader that waits has taken all notifications")
    expect((1...2).contains(reader.count), "N2: a notification is taken, none more than once")
    reader.cursor.end()
  }
  settle()
}

/// A thread notifies for the last time and releases the event, while a reader takes notifications and waits.
let notificationsEnd: Scenario = Scenario("notifications-end", "N3") {
  let (source, cursor) = makeCursors(SimpleEvent())
  let data = Datum()
  let reader = Reader(cursor, on: DispatchQueue(label: "reader")) { data.read() }
  parallel(
    { reader.read() },
    {
      data.write()
      source.signal()
      source.finish()
    })
  settle()
  expect(reader.count == 1 && data.isSeen, "N3: the event's end delivers what is pending")
  expect(reader.hasEnded, "N3: the event's end ends the reader")
}

/// The last cursor is cancelled while the event is observed, notifies and is released. The observer is
/// removed.
let notificationsCancelled: Scenario = Scenario("notifications-cancelled", "E5 N3") {
  let alive = Counter()
  var event: LazySimpleEvent? = makeEvent(on: DispatchQueue(label: "queue"))
  let (source, cursor) = makeCursors(SimpleEvent())
  let reader = Reader(cursor, on: DispatchQueue(label: "reader"))
  let observed = event!
  do {
    let captured = LeakCheckedObject(alive)
    parallel(
      {
        source.keep(
          observed.addObserver(at: CallSite()) { _ in withExtendedLifetime(captured) { source.signal() } })
      },
      { reader.read() },
      { cursor.end() })
  }
  settle()
  expect(alive.value == 0, "N3: cancelling removes the observer")
  expect(reader.hasEnded, "N3: a cancelled reader ends")
  event = nil
}

/// The scenarios of notifications.
let notificationScenarios: [Scenario] = [
  notificationsTaken, notificationsShared, notificationsJoined, notificationsEnd, notificationsCancelled,
  notificationsLost,
]
