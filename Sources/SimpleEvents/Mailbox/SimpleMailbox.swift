/// A box for at most one value. One part of a program puts values into it, and another part takes them.
///
/// The mailbox is a queue of one element that neither blocks nor grows. If the box is full,
/// ``placeIfFits(_:)`` keeps the old value, ``replaceEvenIfSame(_:)`` drops it, and `replace(_:)` drops it
/// unless the new value is equal. None of these methods waits. The event of the mailbox notifies the side
/// that takes the value. Taking a value triggers the event as well:
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
/// If a task takes the values with ``next()``, no event is needed: `SimpleMailbox<String>()`.
///
/// A mailbox may be used from any thread if its values are `Sendable`.
///
/// Contracts: M1 to M3, see <doc:Contracts>.
public final class SimpleMailbox<T> {
  // NB: the methods that put or take a value without a wait are inlinable, because unspecialised generic
  // code takes twenty times as long.

  @frozen @usableFromInline struct State {
    @usableFromInline var value: T?
    /// The number of changes. It shows whether the box has changed while values were compared.
    @usableFromInline var version: UInt64 = 0
    /// The queue of waiting tasks, created for the first task. While a task waits, the box is empty.
    @usableFromInline var queue: MailboxQueue?
  }

  @usableFromInline let event: LazySimpleEvent?
  /// Guards the value and the queue. An old value is released, and a task is resumed, after the lock is
  /// released.
  @usableFromInline let state: Guarded<State> = Guarded(State())
  /// The subject of diagnostics: the mailbox. It is stored last, because no put or take reads it.
  let subject: DiagnosticSubject

  /// Creates an empty mailbox.
  ///
  /// - Parameters:
  ///   - event: The event that each change triggers. The mailbox retains it. Pass nil if only tasks take
  ///     values, with ``next()``.
  ///   - label: The name of the mailbox in diagnostics.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    event: LazySimpleEvent? = nil, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.event = event
    let site = CallSite(fileID: fileID, line: line)
    // A mailbox flags no misuse. The subject describes the mailbox while a task waits for a value.
    subject = DiagnosticSubject(type: Self.self, label: label, misuse: .debugTrap, site: site)
  }

  /// The name of the mailbox in diagnostics.
  public var label: String? { subject.label }

  /// The value in the box. Reading does not remove the value.
  @inlinable public var value: T? { state.withLock { $0.value } }

  /// Whether the box has a value. If the value is an optional, it may itself be nil.
  @inlinable public var hasValue: Bool { state.withLock { if case .some = $0.value { true } else { false } } }

  /// Takes the value out of the box, and triggers the event if there was a value.
  ///
  /// - Returns: The value; nil if the box was empty. If several threads take at the same time, one of them
  ///   receives the value (M2).
  /// - Complexity: O(1).
  @inlinable public func take() -> T? {
    let old = exchange(for: nil) { _ in true }
    guard case .some(.some(let value)) = old else { return nil }
    event?.trigger()
    return value
  }

  /// Puts a value into the box. An old value is replaced, even if both values are equal.
  ///
  /// - Complexity: O(1).
  @inlinable public func replaceEvenIfSame(_ value: T) {
    _ = exchange(for: value) { _ in true }
    event?.trigger()
  }

  /// Puts a value into the box if the box is empty.
  ///
  /// - Returns: Whether the box was empty.
  /// - Complexity: O(1).
  @inlinable @discardableResult public func placeIfFits(_ value: T) -> Bool {
    let old = exchange(for: value) { if case .none = $0.value { true } else { false } }
    guard case .some = old else { return false }
    event?.trigger()
    return true
  }

  /// Replaces the value if a condition holds, and returns the old value; returns nil if the condition does
  /// not hold.
  ///
  /// If a task waits, the task receives the new value, and the box stays empty (M3).
  @inlinable func exchange(for value: T?, if condition: (State) -> Bool) -> T?? {
    let (old, resumption) = state.withLock { state -> (T??, CancellableWait.Resumption?) in
      guard condition(state) else { return (.none, nil) }
      state.version += 1
      let old = state.value
      if case .some = value, let first = state.queue?.endFirst() {
        // SAFETY: the queue of a mailbox has waits for the mailbox's own type only.
        unsafe unsafeDowncast(first.wait, to: MailboxWait<T>.self).value = value
        return (.some(nil), first.resumption)
      }
      state.value = value
      return (.some(old), nil)
    }
    resumption?()
    return old
  }
}

extension SimpleMailbox where T: Equatable {
  /// Puts a value into the box, unless the box has an equal value.
  ///
  /// - Parameter value: The new value. Values are compared under no lock. If they differ, but the box has
  ///   changed in the meantime, the new value is compared again.
  @inlinable public func replace(_ value: T) {
    while true {
      let seen = state.withLock { $0 }
      if case .some(let old) = seen.value, old == value { return }
      if case .some = exchange(for: value, if: { $0.version == seen.version }) { break }
    }
    event?.trigger()
  }
}

// SAFETY: a lock guards the value, and a reader gets a copy. A `Sendable` value may be used at the same time
// by the thread that put it and the thread that took it. All other properties are immutable and `Sendable`.
extension SimpleMailbox: @unchecked Sendable where T: Sendable {}

extension SimpleMailbox: CustomStringConvertible {
  /// The type, whether there is a value, and the number of tasks that wait for a value.
  public var description: String {
    let waits = state.withLock { $0.queue?.waits.count ?? 0 }
    let waiting = waits > 0 ? ", \(counted(waits, "task")) waiting" : ""
    return "\(subject.name), \(hasValue ? "full" : "empty")\(waiting)"
  }
}

extension SimpleMailbox {
  /// Takes the value out of the box. If the box is empty, the call waits for a value.
  ///
  /// ```swift
  /// while let path = await scanner.found.next() {
  ///   await index.add(path)
  /// }
  /// ```
  ///
  /// A value that is put while tasks wait goes to the task that has waited longest. Each value goes to
  /// exactly one task, and a cancellation loses no value (M3). The call keeps the mailbox alive.
  ///
  /// - Returns: The value; nil if the task was cancelled before the call, or while it waited.
  /// - Complexity: Amortised O(1).
  public func next() async -> T? {
    let wait = MailboxWait(mailbox: self)
    await CancellableWait.suspend(for: .value(of: subject)) {
      wait.begin($0)
    } cancel: {
      wait.cancel()
    }
    return wait.value
  }
}
