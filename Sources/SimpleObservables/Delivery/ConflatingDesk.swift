internal import SimpleEvents

/// Passes the newest of several values to an observer, and then the end.
final class ConflatingDesk<Value>: SerialLine<ConflatingStep>, @unchecked Sendable {
  // SAFETY: values are behind the lock. The line delivers them one at a time, on the scheduler.

  private let scheduler: any EventScheduler
  /// Guards the newest value that has not been delivered. An old one is released after the lock.
  private let newest: Guarded<Value?> = Guarded(.none)
  private let downstream: Observer<Value>

  init(_ scheduler: any EventScheduler, _ downstream: Observer<Value>) {
    self.scheduler = scheduler
    self.downstream = downstream
    super.init()
  }

  /// Takes in a value, from any thread.
  func put(_ value: Value) { _ = newest.exchange(.some(value)) }

  /// Delivers the newest value, if there is one. Called on the scheduler.
  ///
  /// The value is taken in line, so that on a concurrent queue neither a later value nor the end overtakes it.
  func deliver() { submit(.newest) }

  /// Delivers the end: at once on the scheduler, elsewhere on its next turn. A value that waits comes before a regular end.
  /// An error drops it.
  func end(_ completion: Completion) {
    if scheduler.isCurrent {
      submit(.end(completion))
    } else {
      scheduler.schedule { [self] in submit(.end(completion)) }
    }
  }

  private func submit(_ step: ConflatingStep) { submit(step, to: { perform($0) }, resume: { resume() }) }

  // The steps are few, one for each turn of the scheduler, so the line is never handed over.
  private func resume() { performWaiting(to: { perform($0) }, resume: { [self] in resume() }) }

  private func perform(_ step: ConflatingStep) {
    let value = newest.exchange(.none)
    switch step {
    case .newest: deliver(value)
    case .end(.failed(let error)): downstream.fail(error)
    case .end(.finished):
      deliver(value)
      downstream.finish()
    }
  }

  private func deliver(_ value: Value?) {
    if case .some(let value) = value { downstream.next(value) }
  }
}

/// A step of a conflating desk.
enum ConflatingStep {
  case newest
  case end(Completion)
}
