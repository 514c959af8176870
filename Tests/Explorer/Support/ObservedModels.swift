internal import ExplorerDispatch
internal import ExplorerEngine
internal import Observation
internal import SimpleEvents

/// An observable model with one property that changes on one queue.
// SAFETY: all fibers run on one thread.
class Model: Observable, @unchecked Sendable {
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

/// A model that several threads change. Its setter holds the lock that its getter takes, around
/// `withMutation`.
final class LockedModel: Model, @unchecked Sendable {
  private let lock: Guarded<Bool> = Guarded(false)

  override func withLock<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }
}

/// The event of several models, and the numbers that its observer has read.
final class Observed {
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

  /// - Parameters:
  ///   - isObserved: Whether the event has an observer from the start.
  ///   - onNotification: Called by the observer with the numbers that it has read.
  init(
    _ models: Model..., on queue: DispatchQueue, _ policy: NamedPolicy = .nextTurn, isObserved: Bool = true,
    onNotification: @escaping ([Int]) -> Void = { _ in }
  ) {
    self.models = models
    self.queue = queue
    let captured = LeakCheckedObject(alive)
    var begin: () -> Void = {}
    var isReading = false
    let event = ObservationEvent(on: queue, policy: policy.policy) {
      expectUnlocked()
      expect(!isReading, "C1: the closure does not run twice at the same time")
      isReading = true
      begin()
      withExtendedLifetime(captured) { _ = models.map(\.number) }
      step()
      isReading = false
    }
    self.event = event
    memory = UnownedReferences(to: event)
    begin = { [unowned self] in expect(!isOver, "O4: the closure does not run after the deallocation") }
    if isObserved { observe(onNotification) }
  }

  func observe(_ onNotification: @escaping ([Int]) -> Void = { _ in }) {
    let captured = LeakCheckedObject(alive)
    token = event!.observe { [unowned self] in
      deliveries.take {
        expect(!isOver, "O4: nothing is called after the deallocation")
        expect(!isRemoved, "E5: a removed observer is not called")
        withExtendedLifetime(captured) { readModels() }
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

  /// Checks that a change has no effect after the event was released, and that the memory of the event is
  /// freed.
  func expectEnd() {
    expect(alive.value == 0, "O4: the captures are released")
    expect(memory.count == 0, "O4: the models keep nothing of a deallocated event")
    isOver = true
    for model in models { model.number += 1 }
    settle()
  }

  /// Checks that a further trigger and a further change give one notification each. Checks that the models
  /// keep one reference to the event, for any number of changes.
  func expectSteady() {
    // One reference belongs to the event itself, and the other reference to the latest run of the closure.
    expect(memory.count == 2, "O4: memory does not grow with changes")
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
  /// Creates the event of two models on this queue, so that it notifies only of changes.
  func observe(
    _ models: (Model, Model), _ policy: NamedPolicy = .nextTurn,
    onNotification: @escaping ([Int]) -> Void = { _ in }
  ) -> Observed {
    sync { Observed(models.0, models.1, on: self, policy, onNotification: onNotification) }
  }
}
