/// An object that collects elements behind the lock of its coalescer, by the rule of a limit.
///
/// An element is stored in the step in which its signal is accepted. Whatever it displaces is released after
/// the lock, and the user's functions are called outside it.
@usableFromInline protocol Collecting<Element>: AnyObject {
  associatedtype Element

  var subject: DiagnosticSubject { get }
  var rule: CollectorLimit<Element>.Rule { get }
  /// Whether elements are kept whose signals the policy ignores (E8).
  var keepsIgnored: Bool { get }

  /// Accepts a signal with elements.
  ///
  /// - Parameters:
  ///   - isAdmitted: Called under the lock. If it returns false, the signal has no effect.
  ///   - store: Stores the elements, or counts them as dropped if the policy ignores the signal. Called under
  ///     the lock.
  /// - Returns: Whether the signal is admitted.
  func signal(
    if isAdmitted: (CollectorStore<Element>) -> Bool,
    storing store: (_ elements: inout CollectorStore<Element>, _ isAccepted: Bool) -> Void
  ) -> Bool

  /// Reads or changes the elements under the lock.
  func withStore<Result>(_ body: (inout CollectorStore<Element>) -> Result) -> Result
}

extension Collecting {
  /// Adds an element.
  @inlinable @inline(__always)
  func collect(_ element: Element) {
    switch rule {
    case .newest: collect(element, displacingOldest: true)
    case .oldest: collect(element, displacingOldest: false)
    case .distinct(let distinction): collectDistinct(element, distinction)
    case .combined(let combine): collectCombined(element, combine)
    }
  }

  /// Adds elements, in one step where the rule allows.
  @inlinable
  func collect(contentsOf elements: some Sequence<Element>) {
    switch rule {
    case .newest: collect(ContiguousArray(elements), displacingOldest: true)
    case .oldest: collect(ContiguousArray(elements), displacingOldest: false)
    case .distinct, .combined: for element in elements { collect(element) }
    }
  }

  @inlinable @inline(__always)
  func collect(_ element: Element, displacingOldest: Bool) {
    // Released when this returns: after the lock.
    var displaced: Element?
    _ = signal(if: { _ in true }) { elements, isAccepted in
      if isAccepted || keepsIgnored {
        displaced = elements.add(element, displacingOldest: displacingOldest)
      } else {
        elements.drop()
      }
    }
    withExtendedLifetime(displaced) {}
  }

  @inlinable
  func collect(_ new: ContiguousArray<Element>, displacingOldest: Bool) {
    guard !new.isEmpty else { return }
    // Released when this returns: after the lock.
    var displaced: ContiguousArray<Element> = []
    _ = signal(if: { _ in true }) { elements, isAccepted in
      for element in new {
        if !isAccepted && !keepsIgnored {
          elements.drop()
        } else if let old = elements.add(element, displacingOldest: displacingOldest) {
          displaced.append(old)
        }
      }
    }
    withExtendedLifetime(displaced) {}
  }

  /// Replaces an equal element, or appends the element.
  ///
  /// Hashing and comparing are the user's code, so they run outside the lock. They are repeated if another
  /// element has been added in between.
  @usableFromInline func collectDistinct(
    _ element: Element, _ distinction: CollectorLimit<Element>.Distinction
  ) {
    let hash = distinction.hash(element)
    // Released when this returns: after the lock.
    var displaced: Element?
    var isDone = false
    while !isDone {
      let candidates = withStore { $0.candidates(hash) }
      let place = candidates.place { distinction.areEqual($0, element) }
      isDone = signal(if: { $0.hasOnly(candidates, hash) }) { elements, isAccepted in
        if isAccepted || keepsIgnored {
          displaced = elements.addDistinct(element, hash, at: place)
        } else {
          elements.drop()
        }
      }
    }
    withExtendedLifetime(displaced) {}
  }

  /// Adds an element combined with the one that is kept.
  ///
  /// The function is the user's, so it runs outside the lock. It is called again if another element has been
  /// added in between.
  @usableFromInline func collectCombined(
    _ element: Element, _ combine: @Sendable (Element, Element) -> Element
  ) {
    let thread = ThreadIdentity.current
    let isNested = withStore { elements in
      guard !elements.combining.contains(thread) else {
        elements.drop()
        return true
      }
      elements.combining.append(thread)
      return false
    }
    guard !isNested else { return subject.misuse.flag(.addedWhileCombining(subject)) }
    // Released when this returns: after the lock.
    var displaced: Element?
    var isDone = false
    while !isDone {
      let (old, generation) = withStore { ($0.batch.elements.last, $0.generation) }
      let new = if let old { combine(old, element) } else { element }
      isDone = signal(if: { $0.generation == generation }) { elements, isAccepted in
        if isAccepted {
          displaced = elements.addCombined(new)
        } else {
          elements.drop()
        }
      }
    }
    withStore { $0.combining.removeAll { $0 == thread } }
    withExtendedLifetime(displaced) {}
  }
}
