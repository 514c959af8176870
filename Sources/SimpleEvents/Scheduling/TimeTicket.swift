/// Identifies an element of a time queue until the element is taken out.
///
/// A ticket is the sequence number of the element and, in the low bits, its slot. It takes one word, because
/// a smaller heap is faster.
@frozen @usableFromInline package struct TimeTicket: Sendable, Equatable {
  /// The number of bits of the slot. They allow 67 million elements at the same time.
  ///
  /// The other bits hold the sequence number, and are enough for 274 billion elements. A later element may be
  /// out of order among elements with the same deadline.
  @inlinable static var slotBits: UInt64 { 26 }

  @usableFromInline let bits: UInt64

  @inlinable init(sequence: UInt64, slot: Int) {
    precondition(
      slot < 1 << Self.slotBits, "more than 67 million deadlines are pending on one scheduler or object")
    bits = sequence << Self.slotBits | UInt64(slot)
  }

  @inlinable var slot: Int { Int(bits & (1 << Self.slotBits - 1)) }

  @inlinable var sequence: UInt64 { bits >> Self.slotBits }
}

/// The item of the heap that stands for an element of a time queue.
@frozen @usableFromInline package struct TimeItem {
  @usableFromInline let nanoseconds: Int64
  @usableFromInline package let ticket: TimeTicket

  @inlinable init(at deadline: EventInstant, _ ticket: TimeTicket) {
    nanoseconds = deadline.nanoseconds
    self.ticket = ticket
  }

  @inlinable package var deadline: EventInstant { EventInstant(nanoseconds: nanoseconds) }

  @inlinable static func < (lhs: TimeItem, rhs: TimeItem) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
      || (lhs.nanoseconds == rhs.nanoseconds && lhs.ticket.bits < rhs.ticket.bits)
  }
}

/// Work that is an element of a time queue.
// NB: if the element were the function itself, the compiler would wrap the function in another closure.
@frozen @usableFromInline package struct QueuedWork: Sendable {
  @usableFromInline let work: @Sendable () -> Void

  @inlinable package init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  @inlinable package func callAsFunction() { work() }
}
