internal import SimpleEvents

/// Passes the newest of several values on to an observer, and then the end.
final class ConflatingDesk<Value>: Sendable {
  private enum Step {
    case newest
    case end(Completion, deliversNewest: Bool)
  }

  // SAFETY: the closures of the observer are plain functions. The line calls them one at a time, on the scheduler.
  private struct Receiver: @unchecked Sendable {
    let observer: Observer<Value>
  }

  private let scheduler: any EventScheduler
  private let line: SerialLine<Step> = SerialLine()
  /// Guards the newest value that has not been delivered. An old one is released after the lock.
  private let newest: Guarded<Value?> = Guarded(.none)
  private let downstream: Receiver

  init(_ scheduler: any EventScheduler, _ downstream: Observer<Value>) {
    self.scheduler = scheduler
    self.downstream = Receiver(observer: downstream)
  }

  /// Takes in a value, from any thread.
  func put(_ value: Value) {
    _ = newest.exchange(.some(value))
  }

  /// Delivers the newest value, if there is one. Called on the scheduler.
  ///
  /// The value is taken in line, so that on a concurrent queue neither a later value nor the end overtakes it.
  func deliver() {
    line.submit(.newest, to: perform)
  }

  /// Delivers the end: at once on the scheduler, elsewhere on its next turn.
  ///
  /// - Parameter deliversNewest: Whether a value that is left comes before a regular end. An error drops it.
  func end(_ completion: Completion, deliversNewest: Bool) {
    let step = Step.end(completion, deliversNewest: deliversNewest)
    if scheduler.isCurrent {
      line.submit(step, to: perform)
    } else {
      scheduler.schedule { [self] in line.submit(step, to: perform) }
    }
  }

  private func perform(_ step: Step) {
    let value = newest.exchange(.none)
    switch step {
    case .newest: deliver(value)
    case .end(.failed(let error), _): downstream.observer.fail(error)
    case .end(.finished, let deliversNewest):
      if deliversNewest { deliver(value) }
      downstream.observer.finish()
    }
  }

  private func deliver(_ value: Value?) {
    if case .some(let value) = value { downstream.observer.next(value) }
  }
}
