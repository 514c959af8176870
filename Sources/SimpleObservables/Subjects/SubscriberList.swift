/// The subscribers of a broadcast, in the order they were added (H1): the first one inline, the others in
/// storage.
///
/// It does not know the type of the values, so that one compiled list serves all broadcasts.
///
/// The steps of the broadcast use it, one at a time. It does not change during a delivery, so that neither
/// the list nor a subscriber is retained for a call, which would take as long as the call. Most subjects have
/// one subscriber at most, and no storage.
@frozen @usableFromInline @safe struct SubscriberList {
  /// The beginning of the storage, before the slots.
  @frozen @usableFromInline struct Header {
    @usableFromInline var capacity: Int32
    /// The number of slots in use.
    @usableFromInline var length: Int32 = 0
    /// The number of empty slots among them.
    @usableFromInline var vacancies: Int32 = 0

    @inlinable init(capacity: Int32) { self.capacity = capacity }
  }

  @usableFromInline typealias Slot = Unmanaged<SubscriberEntry>?

  // SAFETY: the storage has a header and `capacity` slots. Slots below `length` are initialised. They and
  // `first` hold one reference to each subscriber. The broadcast that has the list makes no copy of it, and
  // releases it in its `deinit`.
  /// The subscriber at position zero. One that is added while there are others goes after them.
  @usableFromInline var first: Slot
  /// The storage of the positions from one; nil if they are empty.
  @usableFromInline var header: UnsafeMutablePointer<Header>?

  @inlinable init() { unsafe (first, header) = (nil, nil) }

  /// The offset of the slots: that of the header's end, aligned.
  @inlinable static var offset: Int { 16 }

  @inlinable static func slots(_ header: UnsafeMutablePointer<Header>) -> UnsafeMutablePointer<Slot> {
    unsafe (UnsafeMutableRawPointer(header) + offset).assumingMemoryBound(to: Slot.self)
  }

  /// Calls a body with each subscriber, in order.
  @inlinable @inline(__always) func forEach(_ body: (SubscriberEntry) -> Void) {
    if let first = unsafe first { unsafe first._withUnsafeGuaranteedRef { body($0) } }
    guard let header = unsafe header else { return }
    let slots = unsafe Self.slots(header)
    let length = unsafe Int(header.pointee.length)
    var index = 0
    repeat {
      if let subscriber = unsafe slots[index] { unsafe subscriber._withUnsafeGuaranteedRef { body($0) } }
      index += 1
    } while index < length
  }

  /// Adds a subscriber at the end.
  ///
  /// - Complexity: Amortised O(1).
  @usableFromInline mutating func append(_ subscriber: SubscriberEntry) {
    defer { checkInvariants() }
    if unsafe first == nil && header == nil {
      unsafe first = .passRetained(subscriber)
      return unsafe subscriber.subscription.position = 0
    }
    let length = unsafe header?.pointee.length ?? 0
    if unsafe length == (header?.pointee.capacity ?? 0) { move(toCapacity: max(1, 2 * length)) }
    unsafe Self.slots(header!)[Int(length)] = .passRetained(subscriber)
    unsafe header!.pointee.length += 1
    unsafe subscriber.subscription.position = length + 1
  }

  /// Takes a subscriber off the list; nil if it is not there.
  ///
  /// - Complexity: Amortised O(1).
  @usableFromInline mutating func remove(_ subscription: Subscription) -> SubscriberEntry? {
    defer { checkInvariants() }
    let position = unsafe Int(subscription.position)
    unsafe subscription.position = -1
    if position == 0 { return unsafe first.take()?.takeRetainedValue() }
    guard position > 0, let header = unsafe header else { return nil }
    let slots = unsafe Self.slots(header)
    let subscriber = unsafe slots[position - 1].take()?.takeRetainedValue()
    unsafe header.pointee.vacancies += 1
    while unsafe header.pointee.length > 0 && slots[Int(header.pointee.length) - 1] == nil {
      unsafe header.pointee.length -= 1
      unsafe header.pointee.vacancies -= 1
    }
    let (length, vacancies) = unsafe (header.pointee.length, header.pointee.vacancies)
    if length == 0 {
      unsafe header.deallocate()
      unsafe self.header = nil
    } else if vacancies > length / 2 + 8 {
      // The removals that emptied half of the slots amortise the moves (H8).
      compact()
    } else if unsafe header.pointee.capacity >= 16 && length < header.pointee.capacity / 8 {
      move(toCapacity: 2 * length)
    }
    return subscriber
  }

  /// Moves the subscribers together.
  private mutating func compact() {
    let header = unsafe header!
    let slots = unsafe Self.slots(header)
    var count = 0
    for index in unsafe 0..<Int(header.pointee.length) {
      guard let subscriber = unsafe slots[index] else { continue }
      unsafe slots[index] = nil
      unsafe slots[count] = subscriber
      unsafe subscriber._withUnsafeGuaranteedRef { unsafe $0.subscription.position = Int32(count + 1) }
      count += 1
    }
    unsafe header.pointee.length = Int32(count)
    unsafe header.pointee.vacancies = 0
  }

  /// Moves the slots to other storage, larger or smaller.
  private mutating func move(toCapacity capacity: Int32) {
    let size = unsafe Self.offset + Int(capacity) * MemoryLayout<Slot>.stride
    let new = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    let newHeader = unsafe new.bindMemory(to: Header.self, capacity: 1)
    unsafe newHeader.initialize(to: Header(capacity: capacity))
    let slots = unsafe (new + Self.offset).bindMemory(to: Slot.self, capacity: Int(capacity))
    if let old = unsafe header {
      unsafe newHeader.pointee.length = old.pointee.length
      unsafe newHeader.pointee.vacancies = old.pointee.vacancies
      unsafe slots.moveInitialize(from: Self.slots(old), count: Int(old.pointee.length))
      unsafe old.deallocate()
    }
    unsafe header = newHeader
  }

  /// Takes all subscribers off the list, and releases them.
  @usableFromInline mutating func releaseAll() {
    let old = self
    // First, because a release may run code that uses the list.
    self = SubscriberList()
    unsafe old.first?.release()
    guard let header = unsafe old.header else { return }
    for index in unsafe 0..<Int(header.pointee.length) { unsafe Self.slots(header)[index]?.release() }
    unsafe header.deallocate()
  }

  /// Stops a debug build if the state is one that no sequence of changes leads to. Called after each change.
  ///
  /// - Complexity: O(1): the slots of long lists are not counted.
  func checkInvariants() {
    #if DEBUG
      if let first = unsafe first {
        require(
          unsafe first._withUnsafeGuaranteedRef { unsafe $0.subscription.position } == 0,
          "the first is misplaced")
      }
      guard let header = unsafe header else { return }
      let (length, vacancies) = unsafe (header.pointee.length, header.pointee.vacancies)
      require(
        unsafe 0 < length && length <= header.pointee.capacity, "a list of subscribers has \(length) slots")
      require(0 <= vacancies && vacancies <= length / 2 + 8, "\(vacancies) of \(length) slots are empty")
      let slots = unsafe Self.slots(header)
      require(unsafe slots[Int(length) - 1] != nil, "the last slot is empty")
      guard length <= 64 else { return }
      var empty: Int32 = 0
      for index in 0..<Int(length) {
        guard let slot = unsafe slots[index] else {
          empty += 1
          continue
        }
        let position = unsafe slot._withUnsafeGuaranteedRef { unsafe $0.subscription.position }
        require(Int(position) == index + 1, "a subscriber at \(index + 1) is noted at \(position)")
      }
      require(empty == vacancies, "\(empty) slots are empty, and \(vacancies) are noted")
    #endif
  }
}
