/// A box for at most one value, which one part of a program puts there and another takes.
///
/// It is a queue of one element that neither blocks nor grows. The side that puts a value decides whether a newer one
/// replaces it. The event of the mailbox's owner notifies the side that takes it:
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
/// Contracts: M1 and M2, see <doc:Contracts>.
public final class SimpleMailbox<T> {
  // NB: inlinable throughout. Code that is compiled once for every `T` takes twenty times as long.

  @frozen @usableFromInline struct State {
    @usableFromInline var value: T?
    /// The number of changes, which shows whether one came while values were compared.
    @usableFromInline var version: UInt64 = 0
  }

  @usableFromInline let event: LazySimpleEvent
  /// Guards the value. An old one is released after the lock.
  @usableFromInline let state: Guarded<State> = Guarded(State())

  /// Creates an empty mailbox.
  ///
  /// - Parameter event: Triggered on every change. The mailbox keeps it alive.
  public init(event: LazySimpleEvent) { self.event = event }

  /// The value in the box. Reading leaves it there.
  @inlinable public var value: T? { state.withLock { $0.value } }

  /// Whether the box has a value, which may be an optional that is nil.
  @inlinable public var hasValue: Bool { state.withLock { if case .some = $0.value { true } else { false } } }

  /// Takes the value out of the box.
  ///
  /// - Returns: The value; nil if the box was empty. Of several threads that take, one receives it (M2).
  /// - Complexity: O(1).
  @inlinable public func take() -> T? {
    let old = exchange(for: nil) { _ in true }
    guard case .some(.some(let value)) = old else { return nil }
    event.trigger()
    return value
  }

  /// Puts a value into the box, in the place of an old one, which may be equal.
  ///
  /// - Complexity: O(1).
  @inlinable public func replaceEvenIfSame(_ value: T) {
    _ = exchange(for: value) { _ in true }
    event.trigger()
  }

  /// Puts a value into the box if the box is empty.
  ///
  /// - Returns: Whether the box was empty.
  /// - Complexity: O(1).
  @inlinable @discardableResult public func placeIfFits(_ value: T) -> Bool {
    let old = exchange(for: value) { if case .none = $0.value { true } else { false } }
    guard case .some = old else { return false }
    event.trigger()
    return true
  }

  /// Puts a value in the place of the old one if a condition holds; returns the old one then.
  @inlinable func exchange(for value: T?, if condition: (State) -> Bool) -> T?? {
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
  /// Puts a value into the box, unless the box has an equal one.
  ///
  /// - Parameter value: The new value. It is compared under no lock, and once more if another thread has changed the
  ///   box meanwhile.
  @inlinable public func replace(_ value: T) {
    while true {
      let seen = state.withLock { $0 }
      if case .some(let old) = seen.value, old == value { return }
      if case .some = exchange(for: value, if: { $0.version == seen.version }) { break }
    }
    event.trigger()
  }
}

// SAFETY: the value is behind the lock, which returns a copy. A `Sendable` value may be used at once by the thread that put
// it and the one that took it. All other properties are immutable and `Sendable`.
extension SimpleMailbox: @unchecked Sendable where T: Sendable {}
