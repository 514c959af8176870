/// The number of elements that a collector keeps, and the rule by which it drops the others.
///
/// Every rule has a limit, because the memory of a collector is bounded (C3).
public struct CollectorLimit<Element> {
  @usableFromInline enum Rule {
    case newest, oldest
    case distinct(Distinction)
  }

  /// The user's notion of equal elements.
  @usableFromInline struct Distinction {
    let hash: (Element) -> Int
    let areEqual: (Element, Element) -> Bool
  }

  @usableFromInline let count: Int
  @usableFromInline let rule: Rule

  /// Keeps the newest elements: a new one drops the oldest.
  ///
  /// - Parameter count: The limit, at least one.
  public static func newest(_ count: Int) -> CollectorLimit { CollectorLimit(count: count, rule: .newest) }

  /// Keeps the oldest elements: a new one above the limit is dropped.
  ///
  /// - Parameter count: The limit, at least one.
  public static func oldest(_ count: Int) -> CollectorLimit { CollectorLimit(count: count, rule: .oldest) }

  /// Keeps one of several elements with equal keys: the newest, at the place of the first.
  ///
  /// An element with a new key above the limit is dropped. A replaced element does not count as dropped.
  ///
  /// - Parameters:
  ///   - count: The limit, at least one.
  ///   - key: The property that is compared. It must not change while the element is kept.
  public static func distinct<Key: Hashable>(
    _ count: Int, by key: any KeyPath<Element, Key> & Sendable
  ) -> CollectorLimit { distinct(count) { $0[keyPath: key] } }

  static func distinct<Key: Hashable>(_ count: Int, by key: @escaping (Element) -> Key) -> CollectorLimit {
    let distinction = Distinction(hash: { key($0).hashValue }, areEqual: { key($0) == key($1) })
    return CollectorLimit(count: count, rule: .distinct(distinction))
  }
}

extension CollectorLimit where Element: Hashable {
  /// Keeps one of several equal elements: the newest, at the place of the first.
  ///
  /// A new element above the limit is dropped. A replaced element does not count as dropped.
  ///
  /// - Parameter count: The limit, at least one.
  public static func distinct(_ count: Int) -> CollectorLimit { distinct(count) { $0 } }
}
