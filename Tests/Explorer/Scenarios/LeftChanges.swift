internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two models that a queue observes, and the notifications of their event. The event has no observer.
private struct Followed {
  let models: (LockedModel, LockedModel) = (LockedModel(), LockedModel())
  let observed: Observed
  let queue: DispatchQueue

  init(_ kind: QueueKind = .serial) {
    let (queue, models) = (kind.make(), models)
    self.queue = queue
    observed = queue.sync { Observed(models.0, models.1, on: queue, isObserved: false) }
  }

  var event: ObservationEvent { observed.event! }

  /// Changes a model, and leaves the change to two iterators.
  func leaveChange() -> (NotificationCursor, NotificationCursor) {
    let cursor = event.notifications.cursor
    let cursors = (cursor.makeCursor(), cursor.makeCursor())
    queue.sync { models.0.number = 1 }
    return cursors
  }

  /// - Parameter queue: The queue on which the reader reads; nil for the queue of the event.
  func makeReader(_ notifications: EventNotifications, on queue: DispatchQueue? = nil) -> Reader {
    Reader(notifications.cursor.makeCursor(), on: queue ?? self.queue, observed.readModels)
  }

  /// Checks that a waiting reader has seen the changes so far, and sees a further change.
  func expectRead(_ reader: Reader, _ numbers: [Int]) {
    expect(observed.seen.last == numbers, "O1: a change that is left to the iterators is not lost")
    expect(!event.isPending, "O1: no change is left to an iterator that waits")
    let count = reader.count
    queue.run { models.0.number = 9 }
    settle()
    expect(reader.count == count + 1 && observed.seen.last?[0] == 9, "O1: a change gives one notification")
    reader.cursor.end()
    settle()
  }

  /// Checks that an observer sees a further change.
  func expectObserved() {
    expect(!event.isPending, "O1: no change is left where nothing is an iterator")
    queue.run { models.0.number = 9 }
    settle()
    expect(observed.seen.last == [9, models.1.number], "O1: a change is not left to an observer")
  }
}

/// A reader takes notifications and waits on the queue of the event, while a thread changes both models.
private func leftTaken(_ kind: QueueKind) -> Scenario {
  Scenario("observation-left-taken-\(kind)", "O1 O3 N2") {
    let followed = Followed(kind)
    let notifications = followed.event.notifications
    let reader = followed.makeReader(notifications)
    parallel(
      {
        followed.models.0.number = 1
        followed.models.1.number = 1
      },
      { followed.queue.run { reader.read() } })
    settle()
    followed.expectRead(reader, [1, 1])
  }
}

/// A reader takes notifications and waits on another queue, while a thread changes a model.
private let leftElsewhere: Scenario = Scenario("observation-left-elsewhere", "O1 O3 N2") {
  let followed = Followed()
  let notifications = followed.event.notifications
  let reader = followed.makeReader(notifications, on: DispatchQueue(label: "reader"))
  parallel(
    {
      followed.models.0.number = 1
      followed.models.1.number = 1
    },
    { reader.read() })
  settle()
  followed.expectRead(reader, [1, 1])
}

/// An iterator takes a change on the queue of the event, while another iterator off the queue gives the
/// change back to the queue.
private let leftGivenBack: Scenario = Scenario("observation-left-given-back", "O1 N2") {
  let followed = Followed()
  let cursors = followed.leaveChange()
  expect(followed.event.isPending, "O1: a change that is left to the iterators is pending")
  let taken = Counter()
  parallel(
    { followed.queue.run { if cursors.0.take() { taken.value += 1 } } },
    { _ = cursors.1.take() })
  settle()
  followed.queue.sync { if cursors.0.take() { taken.value += 1 } }
  expect(taken.value == 1, "O1: a change gives one notification")
  expect(!followed.event.isPending, "O1: no change is left that was taken")
}

/// An iterator off the queue of the event gives a change back to the queue while the queue cancels.
private let leftRevoked: Scenario = Scenario("observation-left-revoked", "O1 O2") {
  let followed = Followed()
  let cursors = followed.leaveChange()
  parallel(
    { _ = cursors.1.take() },
    {
      followed.queue.run {
        followed.event.cancel()
        // The notification may have been sent before the cancellation.
        _ = cursors.0.take()
      }
    })
  settle()
  expect(!cursors.0.take(), "O2: a cancellation on the scheduler drops the changes before the call")
  expect(!followed.event.isPending, "O2: nothing is pending after a cancellation")
}

/// An iterator off the queue of the event gives a change back to the queue while a thread reads whether the
/// notification is still to be sent.
private let leftPending: Scenario = Scenario("observation-left-pending", "O1") {
  let followed = Followed()
  let cursors = followed.leaveChange()
  parallel(
    { _ = cursors.1.take() },
    {
      guard !followed.event.isPendingOrDelivering else { return }
      expect(cursors.0.take(), "O1: an event is pending until the notification of a change is sent")
    })
  settle()
  expect(!followed.event.isPending, "O1: no change is left that was given back")
}

/// A thread changes a model while another thread adds an observer, and no iterator waits.
private let leftObserved: Scenario = Scenario("observation-left-observed", "O1") {
  let followed = Followed()
  let notifications = followed.event.notifications
  parallel(
    { followed.models.0.number = 1 },
    { followed.observed.observe() })
  settle()
  followed.expectObserved()
  withExtendedLifetime(notifications) {}
}

/// A thread changes a model while another thread ends the last iterator.
private let leftEnded: Scenario = Scenario("observation-left-ended", "O1 O5 N3") {
  let followed = Followed()
  let cursor = followed.event.notifications.cursor
  parallel(
    { followed.models.0.number = 1 },
    { cursor.end() })
  settle()
  expect(!followed.event.isPending, "O1: no change is left to an iterator that has ended")
  followed.observed.observe()
  followed.expectObserved()
}

/// A thread changes a model and triggers while the queue flushes or cancels. Then a reader reads.
private func leftConcluded(
  _ name: String, _ conclude: @escaping @Sendable (ObservationEvent) -> Void
) -> Scenario {
  Scenario("observation-left-\(name)", "O1 O2 C7") {
    let followed = Followed()
    let notifications = followed.event.notifications
    let reader = followed.makeReader(notifications)
    parallel(
      {
        followed.models.0.number = 1
        followed.event.trigger()
        followed.models.1.number = 1
      },
      { followed.queue.run { conclude(followed.event) } })
    followed.queue.run { reader.read() }
    settle()
    followed.queue.run { followed.models.1.number = 2 }
    settle()
    followed.expectRead(reader, [1, 2])
  }
}

/// The last references to the event and to its notifications are released while a thread changes a model.
private let leftDropped: Scenario = Scenario("observation-left-dropped", "O4 O5") {
  let followed = Followed()
  var notifications: EventNotifications? = followed.event.notifications
  parallel(
    { followed.models.0.number = 1 },
    {
      followed.observed.drop()
      notifications = nil
    })
  settle()
  withExtendedLifetime(notifications) {}
  followed.observed.expectEnd()
}

/// The scenarios of changes that an event leaves to its iterators.
let leftChangeScenarios: [Scenario] =
  QueueKind.allCases.map(leftTaken) + [
    leftElsewhere, leftGivenBack, leftRevoked, leftPending, leftObserved, leftEnded,
    leftConcluded("flushed") { $0.flush() },
    leftConcluded("cancelled") { $0.cancel() }, leftDropped,
  ]
