public import ExplorerEngine

/// The part of the standard library's `Atomic` that the library uses, based on a cell of the explorer.
public struct Atomic<Value: AtomicRepresentable>: ~Copyable {
  private let cell: UnsafeMutablePointer<AtomicCell>

  /// Creates an atomic with an initial value.
  public init(_ initialValue: consuming Value) {
    cell = AtomicCell.make(initialValue.word, _typeName(Value.self))
  }

  deinit {
    AtomicCell.destroy(cell)
  }

  /// Reads the value.
  public borrowing func load(ordering: AtomicLoadOrdering) -> Value {
    .from(AtomicCell.load(cell, acquires: ordering.acquires, isLatest: ordering.isTotal))
  }

  /// Writes a value.
  public borrowing func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {
    AtomicCell.store(cell, desired.word, releases: ordering.releases)
  }

  /// Writes a value, and returns the value that it has replaced.
  public borrowing func exchange(_ desired: consuming Value, ordering: AtomicUpdateOrdering) -> Value {
    let new = desired.word
    return .from(
      AtomicCell.modify(cell, acquires: ordering.acquires, releases: ordering.releases) { _ in new })
  }

  /// Writes a value if the current value is the expected one.
  public borrowing func compareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    let (old, new) = (expected.word, desired.word)
    let original = AtomicCell.modify(
      cell, acquires: successOrdering.acquires, releases: successOrdering.releases,
      acquiresOtherwise: failureOrdering.acquires
    ) { $0 == old ? new : nil }
    return (original == old, .from(original))
  }

  /// Writes a value if the current value is the expected one.
  public borrowing func compareExchange(
    expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(
      expected: expected, desired: desired, successOrdering: ordering,
      failureOrdering: ordering.acquires ? .acquiring : .relaxed)
  }

  /// Writes a value if the current value is the expected one; may also fail for no reason.
  public borrowing func weakCompareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    let (old, new) = (expected.word, desired.word)
    var isExchanged = false
    let original = AtomicCell.modify(
      cell, acquires: successOrdering.acquires, releases: successOrdering.releases,
      acquiresOtherwise: failureOrdering.acquires
    ) {
      isExchanged = $0 == old && !engine.chooseFailure()
      return isExchanged ? new : nil
    }
    return (isExchanged, .from(original))
  }

  /// Writes a value if the current value is the expected one; may also fail for no reason.
  public borrowing func weakCompareExchange(
    expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    weakCompareExchange(
      expected: expected, desired: desired, successOrdering: ordering,
      failureOrdering: ordering.acquires ? .acquiring : .relaxed)
  }
}

extension Atomic where Value == Bool {
  /// Replaces the value by its disjunction with the operand.
  @discardableResult
  public borrowing func logicalOr(
    _ operand: Bool, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Bool, newValue: Bool) {
    let old = AtomicCell.modify(cell, acquires: ordering.acquires, releases: ordering.releases) {
      (Bool.from($0) || operand).word
    }
    return (.from(old), .from(old) || operand)
  }
}

extension Atomic where Value: FixedWidthInteger {
  /// The values before and after an operation.
  public typealias Values = (oldValue: Value, newValue: Value)

  private borrowing func modify(_ ordering: AtomicUpdateOrdering, _ change: (Value) -> Value) -> Values {
    let old = AtomicCell.modify(cell, acquires: ordering.acquires, releases: ordering.releases) {
      change(.from($0)).word
    }
    return (.from(old), change(.from(old)))
  }

  /// Adds; traps on overflow.
  @discardableResult
  public borrowing func add(_ operand: Value, ordering: AtomicUpdateOrdering) -> Values {
    modify(ordering) { $0 + operand }
  }

  /// Subtracts; traps on overflow.
  @discardableResult
  public borrowing func subtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> Values {
    modify(ordering) { $0 - operand }
  }

  /// Adds with wrapping on overflow.
  @discardableResult
  public borrowing func wrappingAdd(_ operand: Value, ordering: AtomicUpdateOrdering) -> Values {
    modify(ordering) { $0 &+ operand }
  }

  /// Subtracts with wrapping on overflow.
  @discardableResult
  public borrowing func wrappingSubtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> Values {
    modify(ordering) { $0 &- operand }
  }

  /// Replaces the value by its bitwise or with the operand.
  @discardableResult
  public borrowing func bitwiseOr(_ operand: Value, ordering: AtomicUpdateOrdering) -> Values {
    modify(ordering) { $0 | operand }
  }

  /// Replaces the value by its bitwise and with the operand.
  @discardableResult
  public borrowing func bitwiseAnd(_ operand: Value, ordering: AtomicUpdateOrdering) -> Values {
    modify(ordering) { $0 & operand }
  }

  /// Replaces the value by the greater of the value and the operand.
  @discardableResult
  public borrowing func max(_ operand: Value, ordering: AtomicUpdateOrdering) -> Values {
    modify(ordering) { Swift.max($0, operand) }
  }
}

// SAFETY: all fibers run on one thread, and the value may be copied bit by bit.
extension Atomic: @unchecked Sendable {}
