/// An object that keeps elements in a store. It accepts an element and its signal in one step, under its
/// lock.
@usableFromInline protocol ElementReceiver<Element> {
  associatedtype Element
  var subject: DiagnosticSubject { get }

  /// Accepts a signal with elements.
  ///
  /// - Parameters:
  ///   - isAdmitted: A function that is called under the lock. If it returns false, the signal has no effect.
  ///   - store: A function that stores the elements, or drops them if the policy ignores the signal. It is
  ///     called under the lock, and returns whether a batch is full.
  /// - Returns: Whether the signal is admitted.
  func signal(
    if isAdmitted: (borrowing CollectorStore<Element>) -> Bool,
    storing store: (inout CollectorStore<Element>, _ isAccepted: Bool) -> Bool
  ) -> Bool

  /// Reads or changes the elements under the lock.
  func withStore<Result>(_ body: (inout CollectorStore<Element>) -> Result) -> Result

  /// Reads or changes the list of the threads that are combining elements of the object, under the lock.
  func withThreads<Result>(_ body: (inout [ThreadIdentity]) -> Result) -> Result

  /// Receives elements that are not going to be delivered. Called under no lock.
  func discard(_ elements: some Sequence<Element>)
}

/// The limit of a collector and the size of its batches, with the methods that add elements accordingly.
///
/// The user's functions are called under no lock.
@usableFromInline struct CollectorRules<Element> {
  @usableFromInline let rule: ElementLimit<Element>.Rule
  @usableFromInline let limit: Int
  /// The largest number of elements in a batch. It is `.max` if the requested size is above the limit, or if
  /// the rule combines elements.
  @usableFromInline let batchSize: Int
  /// Whether the next batch counts the elements whose signals the policy ignores (C9). False for a collector
  /// with keys, because it may forget a key before the next batch of the key (K2).
  @usableFromInline let countsIgnored: Bool

  @usableFromInline init(
    keeping limit: ElementLimit<Element>, batchSize: Int, countsIgnored: Bool,
    for subject: DiagnosticSubject
  ) {
    rule = limit.rule
    self.countsIgnored = countsIgnored
    self.limit = max(1, limit.count)
    let isSized = batchSize <= self.limit && !rule.isCombined
    self.batchSize = isSized ? max(1, batchSize) : .max
    if limit.count < 1 { subject.misuse.flag(.limitBelowOne(limit.count, of: subject)) }
    if batchSize < 1 { subject.misuse.flag(.batchSizeBelowOne(batchSize, of: subject)) }
    if batchSize < .max && rule.isCombined { subject.misuse.flag(.batchSizeWhileCombining(subject)) }
  }

  /// Describes the queued elements to the gate, after a batch was taken.
  @usableFromInline func rest(_ store: borrowing CollectorStore<Element>) -> CoalescingGate.Rest {
    let batches = store.flushed > 0 ? (store.flushed - 1) / batchSize + 1 : 0
    return CoalescingGate.Rest(
      count: store.count, isDue: batches > 0 || store.count >= batchSize, flushedBatches: batches)
  }

  /// Whether all elements are part of full batches.
  @inlinable func isFull(_ store: borrowing CollectorStore<Element>) -> Bool {
    batchSize < .max && store.count > 0 && store.count % batchSize == 0
  }

  /// Drops an element that the policy ignores, and returns it.
  @inlinable func ignore(_ element: Element, _ store: inout CollectorStore<Element>) -> Element? {
    countsIgnored ? store.drop(element) : element
  }

  /// Adds an element if its signal joins the pending delivery; returns false otherwise. The caller then adds
  /// the element by ``add(_:to:)``.
  ///
  /// - Parameters:
  ///   - join: A function that calls its argument under the lock, if the signal can join.
  ///   - discard: A function that receives the displaced element. It is called under no lock.
  @inlinable @inline(__always) func join(
    _ element: Element, by join: ((inout CollectorStore<Element>) -> Bool) -> Bool,
    discarding discard: (Element) -> Void
  ) -> Bool {
    guard let displacesOldest = rule.displacesOldest else { return false }
    // The displaced element is released when this method returns, after the lock is released.
    var displaced: Element?
    let isJoined = join { store in
      guard batchSize == .max || (store.count + 1) % batchSize != 0 else { return false }
      displaced = store.addCounting(element, displacingOldest: displacesOldest)
      return true
    }
    if let displaced { discard(displaced) }
    withExtendedLifetime(displaced) {}
    return isJoined
  }

  /// Adds an element.
  @inlinable func add(_ element: Element, to receiver: some ElementReceiver<Element>) {
    switch rule {
    case .newest, .oldest: add(CollectionOfOne(element), to: receiver)
    case .distinct(let distinction): addDistinct(element, distinction, to: receiver)
    case .combined(let combine): addCombined(element, combine, to: receiver)
    }
  }

  /// Adds elements, in one step if the rule allows it.
  @inlinable func add(contentsOf elements: some Sequence<Element>, to receiver: some ElementReceiver<Element>)
  {
    if batchSize == .max && rule.displacesOldest != nil {
      add(ContiguousArray(elements), to: receiver)
    } else {
      for element in elements { add(element, to: receiver) }
    }
  }

  @inlinable func add(_ new: some Collection<Element>, to receiver: some ElementReceiver<Element>) {
    guard !new.isEmpty else { return }
    let displacesOldest = rule.displacesOldest == true
    var discarded: ContiguousArray<Element> = []
    _ = receiver.signal(if: { _ in true }) { store, isAccepted in
      for element in new {
        let old =
          isAccepted
          ? store.addCounting(element, displacingOldest: displacesOldest) : ignore(element, &store)
        if let old { discarded.append(old) }
      }
      return isAccepted && isFull(store)
    }
    receiver.discard(discarded)
  }

  /// Adds an element in the place of an equal element, or at the end if there is no equal one.
  ///
  /// Hashing and comparing call the user's code, so they run under no lock. The comparison is repeated if
  /// another element with the same hash value was added in between, or if a batch was taken.
  @usableFromInline func addDistinct(
    _ element: Element, _ distinction: ElementLimit<Element>.Distinction,
    to receiver: some ElementReceiver<Element>
  ) {
    let hash = distinction.hash(element)
    // These elements are released when this method returns, after the lock is released.
    var replaced: Element?
    var dropped: Element?
    var isDone = false
    while !isDone {
      let candidates = receiver.withStore { $0.candidates(hash) }
      let place = candidates.place { distinction.areEqual($0, element) }
      isDone = receiver.signal {
        $0.hasOnly(candidates, hash)
      } storing: { store, isAccepted in
        if !isAccepted {
          dropped = ignore(element, &store)
        } else if let place {
          replaced = store.replace(at: place, with: element, by: distinction)
        } else {
          dropped = store.addDistinct(element, hash)
        }
        return isAccepted && isFull(store)
      }
    }
    if let dropped { receiver.discard(CollectionOfOne(dropped)) }
    withExtendedLifetime(replaced) {}
  }

  /// Combines an element with the kept element, if there is one, and stores the result.
  ///
  /// The combining function is the user's, so it runs under no lock. It is called again if another element
  /// has been added in between.
  @usableFromInline func addCombined(
    _ element: Element, _ combine: @Sendable (Element, Element) -> Element,
    to receiver: some ElementReceiver<Element>
  ) {
    let thread = ThreadIdentity.current
    guard !receiver.withThreads({ $0.contains(thread) }) else {
      receiver.withStore { _ = $0.drop(element) }
      receiver.subject.misuse.flag(.addedWhileCombining(receiver.subject))
      return receiver.discard(CollectionOfOne(element))
    }
    // These elements are released when this method returns, after the lock is released.
    var replaced: Element?
    var dropped: Element?
    var isDone = false
    while !isDone {
      let (old, generation) = receiver.withStore { ($0.batch.elements.last, $0.generation) }
      let new =
        if let old { listing(thread, in: receiver) { combine(old, element) } } else { element }
      isDone = receiver.signal {
        $0.generation == generation
      } storing: { store, isAccepted in
        if isAccepted {
          replaced = store.addCombined(new)
        } else {
          dropped = ignore(element, &store)
        }
        return false
      }
    }
    if let dropped { receiver.discard(CollectionOfOne(dropped)) }
    withExtendedLifetime(replaced) {}
  }

  /// Calls a function while the thread is in the list of the threads that are combining elements.
  private func listing<Result>(
    _ thread: ThreadIdentity, in receiver: some ElementReceiver<Element>, _ body: () -> Result
  ) -> Result {
    receiver.withThreads { $0.append(thread) }
    defer {
      receiver.withThreads { threads in
        if let last = threads.lastIndex(of: thread) { threads.remove(at: last) }
      }
    }
    return body()
  }
}
