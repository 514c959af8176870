/// A box for at most one value: somebody puts it there, somebody else takes it later.
///
/// A queue of one element that neither blocks nor grows. Who put a value decides whether a newer one
/// replaces it; who takes it is told by the event of the mailbox's owner:
///
/// ```swift
/// final class Scanner {
///   private let _didChange = LazySimpleEvent()
///   var didChange: any SimpleEventObservable { _didChange }
///   private(set) lazy var found = SimpleMailbox<String>(event: _didChange)
///   func scan() { found.placeIfFits("a result") }
/// }
/// ```
///
/// Usable from any thread when the value is `Sendable`.
///
/// - **M1** At most one value. Every put and take triggers the event; `take()` from an empty box and
///   `replace(_:)` with an equal value do not.
/// - **M2** Works where the value is an optional itself. A value is taken exactly once.
public final class SimpleMailbox<T> {
  // NB: inlinable throughout: compiled for any `T` at once, a put and a take cost twenty times as much.

  @usableFromInline
  struct State {
    @usableFromInline var value: T?
    /// Counts the changes, so that one can be told that happened while values were being compared.
    @usableFromInline var version: UInt64 = 0

    @inlinable
    init() {
      value = nil
    }
  }

  @usableFromInline let event: LazySimpleEvent
  /// Guards the value. An old one is let go after the lock.
  @usableFromInline let state: Guarded<State> = Guarded(State())

  /// Creates an empty mailbox.
  ///
  /// - Parameter event: Triggered on every change. The mailbox keeps it alive.
  public init(event: LazySimpleEvent) {
    self.event = event
  }

  /// The value in the box, which stays there.
  @inlinable
  public var value: T? {
    state.withLock { $0.value }
  }

  /// Whether there is a value, also where that is an optional without one.
  @inlinable
  public var hasValue: Bool {
    state.withLock { state in
      if case .some = state.value { true } else { false }
    }
  }

  /// Takes the value out of the box.
  ///
  /// - Returns: The value, nil if there was none. Of several threads that take, one gets it.
  /// - Complexity: O(1).
  @inlinable
  public func take() -> T? {
    let old = exchange(for: nil) { _ in true }
    guard case .some(.some(let value)) = old else { return nil }
    event.trigger()
    return value
  }

  /// Puts a value into the box, over one that is there, also if it is the same.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func replaceEvenIfSame(_ value: T) {
    _ = exchange(for: value) { _ in true }
    event.trigger()
  }

  /// Puts a value into the box if that is empty.
  ///
  /// - Returns: Whether it was put there.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public func placeIfFits(_ value: T) -> Bool {
    let old = exchange(for: value) { state in
      if case .none = state.value { true } else { false }
    }
    guard case .some = old else { return false }
    event.trigger()
    return true
  }

  /// Puts a value in the place of the old one, if a condition holds; returns the old one if it did.
  @inlinable
  func exchange(for value: T?, if condition: (State) -> Bool) -> T?? {
    state.withLock { state -> T?? in
      guard condition(state) else { return .none }
      let old = state.value
      state.value = value
      state.version += 1
      return .some(old)
    }
  }
}

extension SimpleMailbox where T: Equatable {
  /// Puts a value into the box, unless an equal one is there.
  ///
  /// - Parameter value: The new value. Compared with the old one under no lock, and once more if
  ///   another thread has changed the box meanwhile.
  @inlinable
  public func replace(_ value: T) {
    while true {
      let seen = state.withLock { $0 }
      if case .some(let old) = seen.value, old == value { return }
      if case .some = exchange(for: value, if: { $0.version == seen.version }) { break }
    }
    event.trigger()
  }
}

// NB: not checked by the compiler, since the lock hands out the value by copy. A value that is
// `Sendable` may be used by the thread that put it and the one that took it at once; all else here is
// immutable or `Sendable` itself.
extension SimpleMailbox: @unchecked Sendable where T: Sendable {}
