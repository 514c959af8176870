/// An object that accepts signals with elements, by the lock of its coalescer.
@usableFromInline package protocol SignalReceiver: AnyObject {
  var subject: DiagnosticSubject { get }

  /// Accepts a signal with elements.
  ///
  /// - Parameters:
  ///   - isAdmitted: Called under the lock. If it returns false, the signal has no effect.
  ///   - store: Stores the elements, or counts them as dropped if the policy ignores the signal. Returns
  ///     whether a batch is full. Called under the lock.
  /// - Returns: Whether the signal is admitted.
  func signal(if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Bool) -> Bool

  /// Reads or changes the elements under the lock.
  func withLock<Result>(_ body: () -> Result) -> Result
}

/// The elements of a collector or of a batch loop that are queued, by the rule of a limit.
///
/// The lock of a coalescer guards them: an element is stored in the step in which its signal is accepted.
/// Elements that are not going to be delivered leave by ``discard(_:)``, after the lock is released, and the
/// user's functions are called under no lock.
@usableFromInline package final class CollectedElements<Element> {
  @usableFromInline let rule: CollectorLimit<Element>.Rule
  private let limit: Int
  /// The largest number of elements in a batch; the maximum if the limit or the rule keeps no more.
  @usableFromInline let batchSize: Int
  /// Whether elements are kept whose signals the policy ignores (E8).
  @usableFromInline let keepsIgnored: Bool
  /// Receives the elements that are not going to be delivered.
  @usableFromInline let onDrop: (@Sendable (Element) -> Void)?
  /// Whether a new element displaces the oldest one, where nothing receives displaced elements and batches
  /// have no size; nil for all other collectors. The fastest additions read this byte alone.
  @usableFromInline let displacesSilently: Bool?
  // SAFETY: used under the coalescer's lock only, so no two accesses overlap. A check of that at run time
  // would cost as much as the lock, for each element.
  @exclusivity(unchecked) @usableFromInline var store: CollectorStore<Element>

  package init(
    keeping limit: CollectorLimit<Element>, batchSize: Int = .max, keepsIgnored: Bool = false,
    onDrop: (@Sendable (Element) -> Void)? = nil, for subject: DiagnosticSubject
  ) {
    rule = limit.rule
    self.keepsIgnored = keepsIgnored
    self.onDrop = onDrop
    self.limit = max(1, limit.count)
    let isSized = batchSize <= self.limit && !rule.isCombined
    self.batchSize = isSized ? max(1, batchSize) : .max
    displacesSilently = onDrop == nil && self.batchSize == .max ? rule.displacesOldest : nil
    unsafe store = CollectorStore(limit: self.limit)
    if limit.count < 1 { subject.misuse.flag(.limitBelowOne(limit.count, of: subject)) }
    if batchSize < 1 { subject.misuse.flag(.batchSizeBelowOne(batchSize, of: subject)) }
    if batchSize < .max && rule.isCombined { subject.misuse.flag(.batchSizeWhileCombining(subject)) }
  }

  deinit { discard(unsafe store.takeBatch()) }

  /// The number of elements. Called under the lock.
  package var count: Int { unsafe store.count }

  /// The number of queued elements, and whether a delivery is due for them. Called under the lock.
  package var rest: CoalescingGate.Rest {
    CoalescingGate.Rest(count: count, isDue: count >= batchSize || isFlushing)
  }

  /// Whether elements are queued that were there at a flush. Called under the lock.
  var isFlushing: Bool { unsafe store.flushed > 0 }

  /// Whether all elements are part of full batches. Called under the lock.
  @usableFromInline var isFull: Bool { batchSize < .max && count > 0 && count % batchSize == 0 }

  /// Lets all elements that are queued now be delivered without a window, and returns their number. Called
  /// under the lock.
  @discardableResult package func flush() -> Int {
    if batchSize < .max { unsafe store.flushed = count }
    return count
  }

  /// Takes a batch, or what is missing in another one. Called under the lock.
  package func takeBatch(joining older: Int = 0) -> CollectorBatch<Element> {
    unsafe store.takeBatch(upTo: max(0, batchSize - older))
  }

  /// Takes all elements. Called under the lock.
  package func takeAll() -> CollectorBatch<Element> { unsafe store.takeBatch() }

  /// Passes elements that are not going to be delivered to the function for them, and releases them. Called
  /// under no lock.
  @usableFromInline package func discard(_ elements: some Sequence<Element>) {
    if let onDrop { elements.forEach(onDrop) }
  }

  /// The elements of a batch, followed by those of a newer one, within the limit. Calls the functions of the
  /// rule, under no lock, and discards the elements for which there is no room.
  package func merge(
    _ older: CollectorBatch<Element>, _ newer: CollectorBatch<Element>
  ) -> CollectorBatch<Element> {
    var batch = older
    discard(batch.append(newer, within: limit, by: rule))
    return batch
  }

  /// Adds an element whose signal joins the pending delivery, as most elements of a storm; returns false if
  /// it is to be added by ``add(_:to:)``.
  @inlinable @inline(__always)
  package func join(_ element: Element, _ coalescer: borrowing Coalescer) -> Bool {
    guard let displacesOldest = displacesSilently else { return joinOrDrop(element, coalescer) }
    // Released when this returns, after the lock is released.
    var displaced: Element?
    let isJoined = coalescer.join {
      unsafe displaced = store.add(element, displacingOldest: displacesOldest)
    }
    withExtendedLifetime(displaced) {}
    return isJoined
  }

  /// The same for elements that `onDrop` receives, and for batches that can be full.
  @inlinable @inline(never)
  func joinOrDrop(_ element: Element, _ coalescer: borrowing Coalescer) -> Bool {
    guard let displacesOldest = rule.displacesOldest else { return false }
    // Released when this returns, after the lock is released.
    var displaced: Element?
    let isJoined = coalescer.join(if: { unsafe (store.count + 1) % batchSize != 0 }) {
      unsafe displaced = store.addCounting(element, displacingOldest: displacesOldest)
    }
    if let displaced { onDrop?(displaced) }
    withExtendedLifetime(displaced) {}
    return isJoined
  }

  /// Adds an element.
  @usableFromInline package func add(_ element: Element, to receiver: some SignalReceiver) {
    switch rule {
    case .newest, .oldest: add(CollectionOfOne(element), to: receiver)
    case .distinct(let distinction): addDistinct(element, distinction, to: receiver)
    case .combined(let combine): addCombined(element, combine, to: receiver)
    }
  }

  /// Adds elements, in one step where the rule allows.
  @inlinable package func add(contentsOf elements: some Sequence<Element>, to receiver: some SignalReceiver) {
    if batchSize == .max && rule.displacesOldest != nil {
      add(ContiguousArray(elements), to: receiver)
    } else {
      for element in elements { add(element, to: receiver) }
    }
  }

  @inlinable func add(_ new: some Collection<Element>, to receiver: some SignalReceiver) {
    guard !new.isEmpty else { return }
    let displacesOldest = rule.displacesOldest == true
    var discarded: ContiguousArray<Element> = []
    _ = receiver.signal(if: { true }) { isAccepted in
      for element in new {
        let old =
          unsafe isAccepted || keepsIgnored
          ? store.addCounting(element, displacingOldest: displacesOldest) : store.drop(element)
        if let old { discarded.append(old) }
      }
      return isAccepted && isFull
    }
    discard(discarded)
  }

  /// Replaces an equal element, or appends the element.
  ///
  /// Hashing and comparing are the user's code, so they run under no lock. They are repeated if another
  /// element has been added in between.
  private func addDistinct(
    _ element: Element, _ distinction: CollectorLimit<Element>.Distinction, to receiver: some SignalReceiver
  ) {
    let hash = distinction.hash(element)
    // Released when this returns, after the lock is released.
    var replaced: Element?
    var dropped: Element?
    var isDone = false
    while !isDone {
      let candidates = receiver.withLock { unsafe store.candidates(hash) }
      let place = candidates.place { distinction.areEqual($0, element) }
      isDone = receiver.signal(if: { unsafe store.hasOnly(candidates, hash) }) { isAccepted in
        if !isAccepted && !keepsIgnored {
          unsafe dropped = store.drop(element)
        } else if let place {
          unsafe replaced = store.replace(at: place, with: element, by: distinction)
        } else {
          unsafe dropped = store.addDistinct(element, hash)
        }
        return isAccepted && isFull
      }
    }
    if let dropped { discard(CollectionOfOne(dropped)) }
    withExtendedLifetime(replaced) {}
  }

  /// Adds an element combined with the one that is kept.
  ///
  /// The function is the user's, so it runs under no lock. It is called again if another element has been
  /// added in between.
  private func addCombined(
    _ element: Element, _ combine: @Sendable (Element, Element) -> Element, to receiver: some SignalReceiver
  ) {
    let thread = ThreadIdentity.current
    let isNested = receiver.withLock {
      guard unsafe !store.combining.contains(thread) else {
        _ = unsafe store.drop(element)
        return true
      }
      unsafe store.combining.append(thread)
      return false
    }
    guard !isNested else {
      receiver.subject.misuse.flag(.addedWhileCombining(receiver.subject))
      return discard(CollectionOfOne(element))
    }
    // Released when this returns, after the lock is released.
    var replaced: Element?
    var dropped: Element?
    var isDone = false
    while !isDone {
      let (old, generation) = receiver.withLock { unsafe (store.batch.elements.last, store.generation) }
      let new = if let old { combine(old, element) } else { element }
      isDone = receiver.signal(if: { unsafe store.generation == generation }) { isAccepted in
        if isAccepted {
          unsafe replaced = store.addCombined(new)
        } else {
          unsafe dropped = store.drop(element)
        }
        return false
      }
    }
    receiver.withLock { unsafe store.combining.removeAll { $0 == thread } }
    if let dropped { discard(CollectionOfOne(dropped)) }
    withExtendedLifetime(replaced) {}
  }
}

// SAFETY: elements cross threads through the coalescer's lock. The functions of a rule are those of
// `Hashable`, or `Sendable`. All other properties are immutable.
extension CollectedElements: @unchecked Sendable where Element: Sendable {}
