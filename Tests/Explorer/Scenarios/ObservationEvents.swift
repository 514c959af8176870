internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// One turn of the queue changes two properties, and a third property that is not read, while another turn
/// flushes.
private let observationTurn: Scenario = Scenario("observation-turn", "O1 O4") {
  let queue = DispatchQueue(label: "queue")
  let (models, unread) = ((Model(), Model()), Model())
  let observed = queue.observe(models)
  parallel(
    {
      queue.run {
        models.0.number = 1
        models.1.number = 1
        unread.number = 1
      }
    },
    { queue.run { observed.event!.flush() } })
  settle()
  expect(observed.seen == [[1, 1]], "O1: several properties that change in one turn cause one notification")
  parallel(
    { queue.run { unread.number = 2 } },
    { queue.run { observed.event!.flush() } })
  settle()
  expect(observed.seen.count == 1, "O1: a property that was not read causes no notification")
  observed.expectSteady()
}

/// The first notification changes a property, while a turn of the queue changes another property and a thread
/// triggers.
private func observationLast(_ policy: NamedPolicy) -> Scenario {
  Scenario("observation-last-\(policy.name)", "O2 O4 C1") {
    let queue = DispatchQueue(label: "queue")
    let models = (Model(), Model())
    let observed = queue.observe(models, policy) { if $0[1] == 0 { models.1.number = 1 } }
    parallel(
      { queue.run { models.0.number = 1 } },
      {
        observed.event!.trigger()
        queue.run { observed.event!.flush() }
      })
    settle()
    expect(observed.seen.last == [1, 1], "O2: the last change is not lost")
    observed.expectSteady()
  }
}

/// A turn of the queue cancels between two changes, while another thread triggers.
private let observationCancelled: Scenario = Scenario("observation-cancelled", "O2 C7") {
  let queue = DispatchQueue(label: "queue")
  let models = (Model(), Model())
  let observed = queue.observe(models)
  parallel(
    {
      queue.run {
        models.0.number = 1
        observed.event!.cancel()
        models.1.number = 1
      }
    },
    { observed.event!.trigger() })
  settle()
  expect(observed.seen.last == [1, 1], "O2: a change after a cancellation is not part of it")
  queue.run {
    models.0.number = 2
    observed.event!.cancel()
  }
  let count = observed.seen.count
  settle()
  expect(observed.seen.count == count, "C7: a cancelled notification is not sent")
  observed.expectSteady()
}

/// A turn of the queue cancels, while another thread changes a model.
private func observationCancelledThere(_ kind: QueueKind) -> Scenario {
  Scenario("observation-cancelled-\(kind)", "O2 O3") {
    let queue = kind.make()
    let models = (LockedModel(), LockedModel())
    let observed = queue.observe(models)
    var isCancelled = false
    var isAfter = false
    parallel(
      {
        models.0.number = 1
        queue.run {
          observed.event!.cancel()
          isCancelled = true
        }
      },
      {
        isAfter = isCancelled
        models.1.number = 1
      })
    settle()
    expect(
      !isAfter || observed.seen.last?[1] == 1, "O2: a change after a cancellation is not part of it")
    observed.expectSteady()
  }
}

/// Two threads change models, one of them twice.
private func observationThreads(_ kind: QueueKind, _ policy: NamedPolicy) -> Scenario {
  Scenario("observation-threads-\(policy.name)-\(kind)", "O3 O4 C1") {
    let models = (LockedModel(), LockedModel())
    let observed = kind.make().observe(models, policy)
    parallel(
      {
        models.0.number = 1
        models.0.number = 2
      },
      { models.1.number = 1 })
    settle()
    expect(observed.seen.last == [2, 1], "O3: no change is lost")
    observed.expectSteady()
  }
}

/// A thread changes a model once.
private func observationOnce(_ kind: QueueKind) -> Scenario {
  Scenario("observation-once-\(kind)", "O1 O3 O4") {
    let models = (LockedModel(), LockedModel())
    let observed = kind.make().observe(models)
    parallel({ models.0.number = 1 })
    settle()
    expect(observed.seen == [[1, 0]], "O1: a change gives one notification")
    observed.expectSteady()
  }
}

/// A thread changes a model, also while Observation stores an observation of the model.
///
/// There is only one model, because Observation visits several models in the order of their addresses.
private let observationStored: Scenario = Scenario("observation-stored", "O3 O4") {
  engine.interleavesObservation = true
  let model = LockedModel()
  let queue = DispatchQueue(label: "queue")
  let observed = queue.sync { Observed(model, on: queue) }
  parallel({
    model.number = 1
    model.number = 2
  })
  settle()
  expect(observed.seen.last == [2], "O3: no change is lost")
  observed.expectSteady()
}

/// Two threads change models, while the queue flushes.
private func observationFlushed(_ kind: QueueKind) -> Scenario {
  Scenario("observation-flushed-\(kind)", "O3 C1 C7") {
    let queue = kind.make()
    let models = (LockedModel(), LockedModel())
    let observed = queue.observe(models)
    parallel(
      { models.0.number = 1 },
      {
        queue.run { observed.event!.flush() }
        models.1.number = 1
      })
    settle()
    expect(observed.seen.last == [1, 1], "O3: no change is lost")
    observed.expectSteady()
  }
}

/// A thread changes a model while another thread creates an event off the event's queue.
private func observationBegun(_ policy: NamedPolicy) -> Scenario {
  Scenario("observation-begun-\(policy.name)", "O2 O3") {
    let queue = DispatchQueue(label: "queue")
    let model = LockedModel()
    var observed: Observed?
    parallel(
      {
        observed = Observed(model, on: queue, policy)
        observed!.readModels()
      },
      { model.number = 1 })
    settle()
    expect(observed!.seen.contains([1]), "O3: no change is lost")
  }
}

/// Each of two queues observes a model, and their closures run at the same time.
private let observationPair: Scenario = Scenario("observation-pair", "O1 O3") {
  let models = (LockedModel(), LockedModel())
  var pair: (Observed?, Observed?)
  parallel(
    { pair.0 = Observed(models.0, on: DispatchQueue(label: "first")) },
    { pair.1 = Observed(models.1, on: DispatchQueue(label: "second")) })
  settle()
  let counts = (pair.0!.seen.count, pair.1!.seen.count)
  models.0.number = 1
  settle()
  expect(pair.0!.seen.count == counts.0 + 1, "O3: no change is lost")
  expect(pair.1!.seen.count == counts.1, "O1: a property that was not read causes no notification")
}

/// A thread changes a model while a turn of the queue removes the observer.
private let observationRemoved: Scenario = Scenario("observation-removed", "O4 E5") {
  let queue = DispatchQueue(label: "queue")
  let models = (LockedModel(), LockedModel())
  let observed = queue.observe(models)
  parallel(
    { models.0.number = 1 },
    { queue.run { observed.removeObserver() } })
  settle()
  expect(observed.alive.value == 1, "E5: a removal releases the captures of the observer")
  observed.drop()
  observed.expectEnd()
}

/// A thread changes a model while another thread, or a turn of the queue, releases the event.
private func observationDropped(isOnQueue: Bool) -> Scenario {
  Scenario("observation-dropped\(isOnQueue ? "-on-queue" : "")", "O4") {
    let queue = DispatchQueue(label: "queue")
    let models = (LockedModel(), LockedModel())
    let observed = queue.observe(models)
    parallel(
      { models.0.number = 1 },
      { isOnQueue ? queue.run { observed.drop() } : observed.drop() })
    settle()
    observed.expectEnd()
  }
}

/// The scenarios of observed models.
let observationScenarios: [Scenario] = {
  let policies = NamedPolicy.all.filter { ["nextTurn", "debounce"].contains($0.name) }
  var all = [
    observationTurn, observationStored, observationCancelled, observationPair, observationRemoved,
    observationDropped(isOnQueue: false), observationDropped(isOnQueue: true),
  ]
  for policy in policies { all += [observationLast(policy), observationBegun(policy)] }
  for queue in QueueKind.allCases {
    all +=
      [
        observationOnce(queue), observationFlushed(queue),
        observationCancelledThere(queue),
      ]
      + policies.map { observationThreads(queue, $0) }
  }
  return all
}()
