internal import ExplorerDispatch
internal import ExplorerEngine
internal import ExplorerSynchronization
internal import Observation
internal import SimpleEvents

/// An observable model of one property, which changes on one queue.
// SAFETY: all fibers run on one thread.
private class Model: Observable, @unchecked Sendable {
  private let registrar: ObservationRegistrar = ObservationRegistrar()
  private let stored: Shared<Int> = Shared(0, "O3: the accesses to a model are ordered")

  final var number: Int {
    get {
      registrar.access(self, keyPath: \.number)
      return withLock { stored.value }
    }
    set {
      withLock {
        registrar.withMutation(of: self, keyPath: \.number) {
          step()
          stored.value = newValue
        }
      }
    }
  }

  func withLock<Result>(_ body: () -> Result) -> Result { body() }
}

/// A model that several threads change: its setter holds the lock of its getter around `withMutation`.
private final class LockedModel: Model, @unchecked Sendable {
  private let lock: Guarded<Bool> = Guarded(false)

  override func withLock<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }
}

/// The event of some models, and the numbers that its observer has read.
private final class Observed {
  let alive: Counter = Counter()
  private(set) var seen: [[Int]] = []
  private(set) var event: ObservationEvent?
  private let models: [Model]
  private let queue: DispatchQueue
  private let deliveries: Deliveries = Deliveries()
  private let memory: UnownedReferences
  private var token: (any SimpleEventToken)?
  private var isOver: Bool = false
  private var isRemoved: Bool = false

  /// - Parameter onNotification: Called by the observer with the numbers that it has read.
  init(
    _ models: Model..., on queue: DispatchQueue, _ policy: NamedPolicy = .nextTurn,
    onNotification: @escaping ([Int]) -> Void = { _ in }
  ) {
    self.models = models
    self.queue = queue
    let captured = (Tracked(alive), Tracked(alive))
    var begin: () -> Void = {}
    var isReading = false
    let event = ObservationEvent(on: queue, policy: policy.policy) {
      expectUnlocked()
      expect(!isReading, "C1: the closure does not run twice at once")
      isReading = true
      begin()
      withExtendedLifetime(captured.0) { _ = models.map(\.number) }
      step()
      isReading = false
    }
    self.event = event
    memory = UnownedReferences(to: event)
    begin = { [unowned self] in expect(!isOver, "O4: the closure does not run after the deallocation") }
    token = event.observe { [unowned self] in
      deliveries.take {
        expect(!isOver, "O4: nothing is called after the deallocation")
        expect(!isRemoved, "E5: a removed observer is not called")
        withExtendedLifetime(captured.1) { readModels() }
        onNotification(seen.last!)
      }
    }
  }

  func readModels() { seen.append(models.map(\.number)) }

  func removeObserver() {
    token?.remove()
    isRemoved = true
  }

  func drop() { event = nil }

  /// Checks that a change has no effect after the event was dropped, and that nothing of the event is left.
  func expectEnd() {
    expect(alive.value == 0, "O4: the captures are released")
    expect(memory.count == 0, "O4: the models keep nothing of a deallocated event")
    isOver = true
    for model in models { model.number += 1 }
    settle()
  }

  /// Checks that a further trigger and a further change give one notification each, and that the models keep one
  /// reference to the event, however often they have changed.
  func expectSteady() {
    let count = seen.count
    event!.trigger()
    settle()
    expect(seen.count == count + 1, "E4: a further trigger gives one notification")
    queue.run { [models] in models[0].number = 9 }
    settle()
    expect(
      seen.count == count + 2 && seen.last == models.map(\.number),
      "O2: a further change gives one notification")
    expect(memory.count == 2, "O4: memory does not grow with changes")
  }
}

extension DispatchQueue {
  /// Makes the event of two models, on this queue, so that it notifies of changes only.
  fileprivate func observe(
    _ models: (Model, Model), _ policy: NamedPolicy = .nextTurn,
    onNotification: @escaping ([Int]) -> Void = { _ in }
  ) -> Observed {
    sync { Observed(models.0, models.1, on: self, policy, onNotification: onNotification) }
  }
}

/// One turn of the queue changes two properties and a third one that is not read, while another turn flushes.
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

/// The first notification changes a property, while a turn of the queue changes another one and a thread triggers.
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

/// A thread changes a model.
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

/// A thread changes a model while another one makes an event off its queue.
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

/// A thread changes a model while a turn of the queue removes the observer.
private let observationRemoved: Scenario = Scenario("observation-removed", "O4 E5") {
  let queue = DispatchQueue(label: "queue")
  let models = (LockedModel(), LockedModel())
  let observed = queue.observe(models)
  parallel(
    { models.0.number = 1 },
    { queue.run { observed.removeObserver() } })
  settle()
  observed.drop()
  observed.expectEnd()
}

/// A thread changes a model while another thread, or a turn of the queue, drops the event.
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
    observationTurn, observationCancelled, observationRemoved, observationDropped(isOnQueue: false),
    observationDropped(isOnQueue: true),
  ]
  for policy in policies { all += [observationLast(policy), observationBegun(policy)] }
  for queue in QueueKind.allCases {
    all +=
      [observationOnce(queue), observationFlushed(queue), observationCancelledThere(queue)]
      + policies.map { observationThreads(queue, $0) }
  }
  return all
}()
