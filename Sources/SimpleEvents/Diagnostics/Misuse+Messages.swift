// Every message of the package, in one place.

extension Misuse {
  static func addedTwice(_ name: String, to subject: DiagnosticSubject, at site: CallSite?, first: CallSite?)
    -> Self
  {
    Misuse(
      .addedTwice, subject, at: first ?? site,
      """
      An observer of type \(name) was added to \(subject.name) again\(at(site)), without having been removed in \
      between.
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
      An observer of type \(type) was removed from \(subject.name)\(at(site)), where it is not installed: it was \
      never added, or it has been removed before.
      """, "Remove every observer exactly once.", release: "the call has no effect")
  }

  static func neverRemoved(_ observer: String, from subject: DiagnosticSubject, added site: CallSite?) -> Self
  {
    Misuse(
      .neverRemoved, subject, at: site,
      "An observer of type \(observer) was deallocated without having been removed from \(subject.name).",
      "Remove it in its deinit at the latest, or observe with a token, which removes its block by itself.",
      release: "the observer is dropped", added(site))
  }

  static func nestedCycle(of subject: DiagnosticSubject, by observer: (any DiagnosedObserver)?) -> Self {
    Misuse(
      .nestedCycle, subject, at: observer?.site ?? subject.site,
      """
      A notification cycle of \(subject.name) was started inside another one on the same thread, by the callback of \
      \(observer?.observerName ?? "an observer"): the observers after it would see the changes in the wrong order.
      """, "Use LazySimpleEvent, or SimpleEvent(reentrancy: .coalesced).",
      release: "the inner cycle runs first", added(observer?.site))
  }

  static func wrongIsolation(of actor: any Actor, _ subject: DiagnosticSubject, registered site: CallSite?)
    -> Self
  {
    Misuse(
      .wrongIsolation, subject, at: site,
      "A block of \(subject.name) is isolated to \(actor) and is about to be called off it.",
      """
      Deliver on that actor: for a block of the main actor, on the main queue. If the block may run on any thread, \
      write { @Sendable … in … }, which makes it nonisolated.
      """, release: "the block is called", site.map { " The block was registered at \($0)." } ?? "")
  }

  static func flushedElsewhere(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .flushedElsewhere, subject, at: subject.site,
      "\(subject.name) was flushed off its scheduler, so it delivers on the wrong thread.",
      "Flush from work on that scheduler, for a queue with queue.sync or queue.async.",
      release: "the delivery runs on the calling thread")
  }

  static func notANumber(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .notANumber, subject, at: subject.site, "The debounceTimeout of \(subject.name) is not a number.",
      "Pass seconds.", release: "it means zero: delivery on the next turn")
  }

  static func noEdges(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .noEdges, subject, at: subject.site,
      "The policy of \(subject.name) has neither a leading nor a trailing edge, so it never delivers.",
      "Give it at least one edge.", release: "nothing is delivered")
  }

  static func limitBelowOne(_ limit: Int, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .limitBelowOne, subject, at: subject.site, "The limit of \(subject.name) is \(limit).",
      "A collector keeps at least one element: pass one or more.", release: "the limit is one")
  }

  package static func nestedAdvance() -> Self {
    Misuse(
      .nestedAdvance, nil, at: nil,
      "A TestScheduler was advanced from inside work that it runs, or from two threads at once.",
      "Advance it from the test itself, or schedule more work instead.",
      release: "the inner call has no effect")
  }

  /// Creates a misuse with its message, in this order: the error, the remedy, the effect in a release build (marked as
  /// such), the places in the source.
  private init(
    _ kind: Kind, _ subject: DiagnosticSubject?, at site: CallSite?, _ error: String, _ remedy: String,
    release effect: String, _ registration: String = ""
  ) {
    let origin = subject?.origin ?? ""
    let message = "\(error) \(remedy) In a release build \(effect).\(registration)\(origin)"
    self.init(kind: kind, message: message, site: site)
  }

  private static func at(_ site: CallSite?) -> String { site.map { " at \($0)" } ?? "" }

  private static func added(_ site: CallSite?) -> String {
    if let site { return " It was added at \(site)." }
    return isDebugBuild
      ? " It was added by a method passed as a function value, so the place is not known."
      : " The place where it was added is known in debug builds only."
  }
}
