public import ExplorerEngine

/// The standard library's atomic, as far as the library uses it, on a cell of the explorer's.
public struct Atomic<Value: AtomicRepresentable>: ~Copyable {
  private let cell: UnsafeMutablePointer<AtomicCell>

  /// Makes an atomic with a first value.
  public init(_ initialValue: consuming Value) {
    cell = AtomicCell.make(Value.encode(initialValue))
  }

  deinit {
    AtomicCell.destroy(cell)
  }

  /// Reads a value.
  public borrowing func load(ordering: AtomicLoadOrdering) -> Value {
    Value.decode(AtomicCell.load(cell, acquires: ordering.acquires, isLatest: ordering.isTotal))
  }

  /// Writes a value.
  public borrowing func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {
    AtomicCell.store(cell, Value.encode(desired), releases: ordering.releases)
  }

  /// Writes a value and returns the one that it has replaced.
  public borrowing func exchange(_ desired: consuming Value, ordering: AtomicUpdateOrdering) -> Value {
    let new = Value.encode(desired)
    return Value.decode(
      AtomicCell.modify(cell, acquires: ordering.acquires, releases: ordering.releases) { _ in new })
  }

  /// Writes a value if the present one is as expected.
  public borrowing func compareExchange(
    expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(
      expected: expected, desired: desired, successOrdering: ordering,
      failureOrdering: ordering.acquires ? .acquiring : .relaxed)
  }

  /// Writes a value if the present one is as expected.
  public borrowing func compareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    let (old, new) = (Value.encode(expected), Value.encode(desired))
    let original = AtomicCell.modify(
      cell, acquires: successOrdering.acquires, releases: successOrdering.releases,
      acquiresOtherwise: failureOrdering.acquires
    ) { $0 == old ? new : nil }
    return (original == old, Value.decode(original))
  }

  /// As `compareExchange`: the model has no spurious failures.
  public borrowing func weakCompareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(
      expected: expected, desired: desired, successOrdering: successOrdering, failureOrdering: failureOrdering)
  }

  /// As `compareExchange`: the model has no spurious failures.
  public borrowing func weakCompareExchange(
    expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: expected, desired: desired, ordering: ordering)
  }
}

extension Atomic where Value: FixedWidthInteger {
  private borrowing func modify(
    _ ordering: AtomicUpdateOrdering, _ change: (Value) -> Value
  ) -> (oldValue: Value, newValue: Value) {
    let old = AtomicCell.modify(cell, acquires: ordering.acquires, releases: ordering.releases) {
      Value.encode(change(Value.decode($0)))
    }
    return (Value.decode(old), change(Value.decode(old)))
  }

  /// Adds, with a trap on overflow.
  @discardableResult
  public borrowing func add(_ operand: Value, ordering: AtomicUpdateOrdering) -> (
    oldValue: Value, newValue: Value
  ) {
    modify(ordering) { $0 + operand }
  }

  /// Subtracts, with a trap on overflow.
  @discardableResult
  public borrowing func subtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (
    oldValue: Value, newValue: Value
  ) {
    modify(ordering) { $0 - operand }
  }

  /// Adds, modulo the range.
  @discardableResult
  public borrowing func wrappingAdd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (
    oldValue: Value, newValue: Value
  ) {
    modify(ordering) { $0 &+ operand }
  }

  /// Subtracts, modulo the range.
  @discardableResult
  public borrowing func wrappingSubtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (
    oldValue: Value, newValue: Value
  ) {
    modify(ordering) { $0 &- operand }
  }

  /// Sets bits.
  @discardableResult
  public borrowing func bitwiseOr(_ operand: Value, ordering: AtomicUpdateOrdering) -> (
    oldValue: Value, newValue: Value
  ) {
    modify(ordering) { $0 | operand }
  }

  /// Keeps bits.
  @discardableResult
  public borrowing func bitwiseAnd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (
    oldValue: Value, newValue: Value
  ) {
    modify(ordering) { $0 & operand }
  }

  /// Takes the greater value.
  @discardableResult
  public borrowing func max(_ operand: Value, ordering: AtomicUpdateOrdering) -> (
    oldValue: Value, newValue: Value
  ) {
    modify(ordering) { Swift.max($0, operand) }
  }
}

// SAFETY: all fibers run on one thread, and the value is one that may be copied bit by bit.
extension Atomic: @unchecked Sendable {}
