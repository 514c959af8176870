internal import SimpleEvents

/// A value that can be observed: a new subscriber receives the current value first, and then each new value.
///
/// ```swift
/// let title = Variable("Untitled")
/// let token = title.subscribe { new, old in print(old ?? "-", "->", new) }  // - -> Untitled
/// title.value = "Contracts"  // Untitled -> Contracts
/// ```
///
/// See ``Subject`` for threads, nested updates and the end. A variable that has ended keeps its value, and
/// ignores assignments. Debug builds flag such an assignment.
@_fixed_layout public class Variable<Value>: Subject<Value> {
  #if DEBUG
    @usableFromInline let followed: FollowedVariables<Value> = FollowedVariables()
  #endif

  /// Creates a variable.
  ///
  /// - Parameter value: The first value of the variable.
  @inlinable public convenience init(_ value: Value) {
    self.init(value, isSame: nil)
  }

  @inlinable init(_ value: Value, isSame: ((Value, Value) -> Bool)?) {
    super.init(
      isSame.map { Broadcast(initial: value, rules: BroadcastDetails(capacity: 1, isSame: $0)) }
        ?? Broadcast(initial: value, replaysNewest: true))
  }

  /// The value. An assignment sends the new value to all subscribers, even if it equals the last value.
  ///
  /// A read returns the value that was set last, even while it is queued. `value += 1` reads and sets in two
  /// steps, so an assignment by another thread between the two is lost. A ``DistinctVariable`` does not
  /// send a value that equals the last one. An assignment after the end is ignored, and flagged in debug
  /// builds.
  ///
  /// - Complexity: O(1) to read, O(subscribers) to set.
  public final override var value: Value {
    @inlinable get {
      // The initialiser has set the value, and it is never cleared.
      broadcast.newest!
    }
    @inlinable set {
      #if DEBUG
        flagIfOver()
      #endif
      broadcast.send(newValue)
    }
  }

  /// Returns the results of a function of this variable's value, as a variable that cannot be set.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the result for a value. Called once with each value, on the thread that delivers
  ///     it. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  public final override func map<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Output
  ) -> DerivedVariable<Output> {
    let transform = isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line))
    return DerivedVariable<Output>(self, current: { [self] in value }, transform)
  }
}

#if DEBUG
  extension Variable {
    /// Flags an assignment after the end (V4).
    @usableFromInline final func flagIfOver() {
      guard broadcast.hasEnded else { return }
      let subject = DiagnosticSubject(type(of: self))
      subject.misuse.flag(.setAfterEnd(subject))
    }
  }

  extension Broadcast {
    /// Whether the end was sent, even if it has not been delivered yet.
    fileprivate var hasEnded: Bool { synchronized { unsafe isOver } }
  }
#endif

// SAFETY: the superclass is safe to use from any thread, and this class adds no mutable state.
extension Variable: @unchecked Sendable where Value: Sendable {}
