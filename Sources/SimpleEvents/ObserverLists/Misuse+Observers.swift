extension Misuse.Kind {
  /// An observer was added to a hub or event twice (H6).
  public static var addedTwice: Self { Self() }
  /// An observer is not a class instance, so it cannot be referenced weakly (H6).
  ///
  /// A class instance that is added as an `any Error` is also flagged.
  public static var notAnObject: Self { Self() }
  /// An observer that is not installed was removed (H6).
  public static var notInstalled: Self { Self() }
  /// An observer was deallocated without having been removed (H6).
  public static var neverRemoved: Self { Self() }
  /// A notification cycle was started inside another one of the same list, on the same thread (H6, E3).
  public static var nestedCycle: Self { Self() }
}

extension Misuse {
  static func addedTwice(_ name: String, to subject: DiagnosticSubject, at site: CallSite?, first: CallSite?)
    -> Self
  {
    Misuse(
      .addedTwice, subject, at: site ?? first,
      """
      An observer of type \(name) was added to \(subject.name) again\(at(site)), without having been removed \
      in between.
      """, "Add it once, or remove it first.", release: "it stays registered once", added(first))
  }

  static func notAnObject(_ type: Any.Type, _ verb: String, _ subject: DiagnosticSubject, at site: CallSite?)
    -> Self
  {
    Misuse(
      .notAnObject, subject, at: site, "A value of type \(type) was \(verb) \(subject.name)\(at(site)).",
      "Observers are held weakly, so only class instances can be observers: make the type a class.",
      release: "the value is ignored")
  }

  static func notInstalled(_ type: Any.Type, in subject: DiagnosticSubject, at site: CallSite?) -> Self {
    Misuse(
      .notInstalled, subject, at: site,
      """
      An observer of type \(type) was removed from \(subject.name)\(at(site)), where it is not installed: it \
      was never added, or it has been removed before.
      """, "Remove every observer exactly once.", release: "the call has no effect")
  }

  static func neverRemoved(_ observer: String, from subject: DiagnosticSubject, added site: CallSite?) -> Self
  {
    Misuse(
      .neverRemoved, subject, at: site,
      "An observer of type \(observer) was deallocated without having been removed from \(subject.name).",
      """
      Remove it in its deinit at the latest (isolated deinit in a main-actor class). An event can also be \
      observed with a token, which removes its block by itself.
      """,
      release: "the observer is dropped", added(site))
  }

  static func nestedCycle(of subject: DiagnosticSubject, by observer: String, added site: CallSite?) -> Self {
    Misuse(
      .nestedCycle, subject, at: site ?? subject.site,
      """
      A notification cycle of \(subject.name) was started inside another one on the same thread, by the \
      callback of \(observer): the observers after it would see the changes in the wrong order.
      """,
      """
      Begin the second cycle after the first one has ended. Instead of an event that calls its observers \
      immediately, use LazySimpleEvent or SimpleEvent(reentrancy: .coalesced).
      """,
      release: "the inner cycle runs first", added(site))
  }
}
