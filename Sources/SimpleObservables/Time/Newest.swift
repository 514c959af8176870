internal import SimpleEvents

/// The newest value that has come and has not been told, and the end after it.
final class Newest<Value> {
  private enum Step {
    case value
    case end(Completion, tellsRest: Bool)
  }

  private let downstream: Observer<Value>
  private let line: SerialLine<Step> = SerialLine()
  /// Guards the value. An old one is let go after the lock.
  private let value: Guarded<Value?> = Guarded(.none)

  init(_ downstream: Observer<Value>) {
    self.downstream = downstream
  }

  func set(_ new: Value) {
    _ = exchange(for: .some(new))
  }

  /// Tells the value, if there is one; called on the scheduler.
  func tell() {
    line.submit(.value, to: perform)
  }

  /// Tells how the sequence ended: at once on the scheduler, elsewhere on its next turn.
  ///
  /// - Parameter tellsRest: Whether a value that is left comes before a regular end. An error drops it.
  func end(_ completion: Completion, tellsRest: Bool = true, on scheduler: some EventScheduler) {
    if scheduler.isCurrent {
      line.submit(.end(completion, tellsRest: tellsRest), to: perform)
    } else {
      scheduler.schedule { [self] in
        line.submit(.end(completion, tellsRest: tellsRest), to: perform)
      }
    }
  }

  private func perform(_ step: Step) {
    let value = exchange(for: .none)
    switch step {
    case .value:
      tell(value)
    case .end(.failed(let error), _):
      downstream.fail(error)
    case .end(.finished, let tellsRest):
      if tellsRest {
        tell(value)
      }
      downstream.finish()
    }
  }

  private func tell(_ value: Value?) {
    if case .some(let value) = value {
      downstream.next(value)
    }
  }

  private func exchange(for new: Value?) -> Value? {
    value.withLock { value in
      let old = value
      value = new
      return old
    }
  }
}

// NB: not checked by the compiler, since the observer's closures are plain ones. They are called on the
// scheduler, one at a time, by the line; the value is behind its lock.
extension Newest: @unchecked Sendable {}
