/// The number of elements that a collector or batch loop keeps, and the rule by which it drops further
/// elements.
///
/// Every rule but ``unlimited`` bounds the memory of a collector (C3), and of a batch loop (L9). A batch
/// counts the elements that a limit has dropped.
public struct ElementLimit<Element> {
  // The enum is indirect, so that a collector reads one word to find its rule.
  @usableFromInline indirect enum Rule {
    case newest, oldest
    case distinct(Distinction)
    case combined(@Sendable (_ old: Element, _ new: Element) -> Element)

    /// Whether a new element displaces the oldest one; nil if the rule compares or combines elements.
    @inlinable var displacesOldest: Bool? {
      switch self {
      case .newest: true
      case .oldest: false
      case .distinct, .combined: nil
      }
    }

    var isCombined: Bool { if case .combined = self { true } else { false } }
  }

  /// The user's definition of equal elements.
  @usableFromInline struct Distinction {
    let hash: (Element) -> Int
    let areEqual: (Element, Element) -> Bool
    /// Returns the element that takes the place of two equal elements; by default the newer one. This
    /// function is not the user's, and is called under the lock.
    var succeed: (_ old: Element, _ new: Element) -> Element = { $1 }
  }

  @usableFromInline let count: Int
  @usableFromInline let rule: Rule

  /// Keeps the newest elements. If the limit is reached, a new element displaces the oldest one.
  ///
  /// - Parameter count: The limit, at least one.
  public static func newest(_ count: Int) -> ElementLimit { ElementLimit(count: count, rule: .newest) }

  /// Keeps the oldest elements. If the limit is reached, a new element is dropped.
  ///
  /// - Parameter count: The limit, at least one.
  public static func oldest(_ count: Int) -> ElementLimit { ElementLimit(count: count, rule: .oldest) }

  /// Keeps all elements. Memory grows with their number until the next delivery.
  public static var unlimited: ElementLimit { ElementLimit(count: .max, rule: .oldest) }

  /// Keeps one element, which a function combines with each new element.
  ///
  /// ```swift
  /// let collector = CoalescingCollector<Int>(on: queue, keeping: .combined { $0 + $1 }) { sum in
  ///   log.add("\(sum.first!) bytes")
  /// }
  /// ```
  ///
  /// The function may return either element, or another one. If it leaves an element out, that element does
  /// not count as dropped, and `onDrop:` does not receive it. The function is called on the adding thread,
  /// under no lock, and again if another thread has added an element in the meantime. It must not add to the
  /// same collector: such an addition is flagged, and a release build drops and counts the element. The
  /// function must not wait for another thread that adds an element, because each addition of that thread
  /// would cause one more call of the function.
  ///
  /// A batch loop also calls the function in the task of a run, with the element of a retried batch and the
  /// combination of the newer elements. An addition during such a call is not flagged, and is part of a later
  /// batch.
  ///
  /// - Parameter combine: The function that returns the element that replaces both elements.
  public static func combined(
    _ combine: @escaping @Sendable (_ old: Element, _ new: Element) -> Element
  ) -> ElementLimit { ElementLimit(count: 1, rule: .combined(combine)) }

  /// Keeps one of several elements with equal keys: the newest, at the place of the first.
  ///
  /// If the limit is reached, an element with a new key is dropped. It is counted as dropped each time that
  /// it is added. A replaced element does not count as dropped, and `onDrop:` does not receive it. In a
  /// module that is isolated to the main actor by default, declare the type of the elements `nonisolated`: a
  /// key path of an isolated property is not `Sendable`.
  ///
  /// - Parameters:
  ///   - count: The limit, at least one.
  ///   - key: The property that is compared. It must not change while the element is kept.
  public static func distinct<Key: Hashable>(
    _ count: Int, by key: any KeyPath<Element, Key> & Sendable
  ) -> ElementLimit { distinct(count) { $0[keyPath: key] } }

  static func distinct<Key: Hashable>(_ count: Int, by key: @escaping (Element) -> Key) -> ElementLimit {
    let distinction = Distinction(hash: { key($0).hashValue }, areEqual: { key($0) == key($1) })
    return ElementLimit(count: count, rule: .distinct(distinction))
  }
}

extension ElementLimit where Element: Hashable {
  /// Keeps one of several equal elements: the newest, at the place of the first.
  ///
  /// If the limit is reached, an element that equals no kept element is dropped. It is counted as dropped
  /// each time that it is added. A replaced element does not count as dropped. In a module that is isolated
  /// to the main actor by default, declare the type of the elements `nonisolated`.
  ///
  /// - Parameter count: The limit, at least one.
  public static func distinct(_ count: Int) -> ElementLimit { distinct(count) { $0 } }
}

extension ElementLimit {
  /// Returns the same limit for wrappers, each of which contains an element.
  ///
  /// - Parameters:
  ///   - element: Returns the element of a wrapper.
  ///   - succeed: Returns the wrapper that replaces two wrappers. It contains the given element, which is the
  ///     newer of the two elements or their combination. The function calls no code of the user.
  package func wrapped<Wrapper>(
    _ element: @escaping @Sendable (Wrapper) -> Element,
    _ succeed: @escaping @Sendable (_ old: Wrapper, _ new: Wrapper, Element) -> Wrapper
  ) -> ElementLimit<Wrapper> {
    let wrapped: ElementLimit<Wrapper>.Rule =
      switch rule {
      case .newest: .newest
      case .oldest: .oldest
      case .distinct(let distinction):
        .distinct(
          ElementLimit<Wrapper>.Distinction(
            hash: { distinction.hash(element($0)) },
            areEqual: { distinction.areEqual(element($0), element($1)) },
            succeed: { succeed($0, $1, element($1)) }))
      case .combined(let combine): .combined { succeed($0, $1, combine(element($0), element($1))) }
      }
    return ElementLimit<Wrapper>(count: count, rule: wrapped)
  }
}
