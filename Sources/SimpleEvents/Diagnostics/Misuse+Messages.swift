// Every message of the package, in one place. A message says in this order: the error, the remedy, the effect in a release
// build (marked as such), and the places in the source.

extension Misuse {
  static func addedTwice(
    _ observer: String, to subject: DiagnosticSubject, at site: CallSite?, first: CallSite?
  ) -> Misuse {
    Misuse(
      .addedTwice,
      """
      An observer of type \(observer) was added to \(subject.name) again\(at(site)), without having been removed in \
      between. Add it once, or remove it first. In a release build it stays registered once. \
      \(added(first))\(subject.origin)
      """, at: first ?? site)
  }

  static func notAnObject(
    _ type: Any.Type, _ verb: String, _ subject: DiagnosticSubject, at site: CallSite?
  ) -> Misuse {
    Misuse(
      .notAnObject,
      """
      A value of type \(type) was \(verb) \(subject.name)\(at(site)). Observers are held weakly, so only class \
      instances can be observers: make the type a class. In a release build the value is ignored.\(subject.origin)
      """, at: site)
  }

  static func notInstalled(
    _ type: Any.Type, in subject: DiagnosticSubject, at site: CallSite?
  ) -> Misuse {
    Misuse(
      .notInstalled,
      """
      An observer of type \(type) was removed from \(subject.name)\(at(site)), where it is not installed: it was \
      never added, or it has been removed before. Remove every observer exactly once. In a release build the call \
      has no effect.\(subject.origin)
      """, at: site)
  }

  static func neverRemoved(_ observer: String, from subject: DiagnosticSubject, added site: CallSite?)
    -> Misuse
  {
    Misuse(
      .neverRemoved,
      """
      An observer of type \(observer) was deallocated without having been removed from \(subject.name). Remove it in \
      its deinit at the latest, or observe with a token, which removes its block by itself. In a release build the \
      observer is dropped. \(added(site))\(subject.origin)
      """, at: site)
  }

  static func nestedCycle(
    of subject: DiagnosticSubject, by observer: (any DiagnosedObserver)?
  ) -> Misuse {
    Misuse(
      .nestedCycle,
      """
      A notification cycle of \(subject.name) was started inside another one on the same thread, by the callback of \
      \(observer?.observerName ?? "an observer"): the observers after it would see the changes in the wrong order. Use \
      LazySimpleEvent, or SimpleEvent(reentrancy: .coalesced). In a release build the inner cycle runs first. \
      \(added(observer?.site))\(subject.origin)
      """, at: observer?.site ?? subject.site)
  }

  static func wrongIsolation(
    of actor: any Actor, _ subject: DiagnosticSubject, registered site: CallSite?
  ) -> Misuse {
    Misuse(
      .wrongIsolation,
      """
      A block of \(subject.name) is isolated to \(actor) and is about to be called off it. Deliver on that actor: for \
      a block of the main actor, on the main queue. If the block may run on any thread, write { @Sendable … in … }, \
      which makes it nonisolated. In a release build the block is called. \
      \(site.map { "The block was registered at \($0)." } ?? "")\(subject.origin)
      """, at: site)
  }

  static func flushedElsewhere(_ subject: DiagnosticSubject) -> Misuse {
    Misuse(
      .flushedElsewhere,
      """
      \(subject.name) was flushed off its scheduler, so it delivers on the wrong thread. Flush from work on that \
      scheduler, for a queue with queue.sync or queue.async. In a release build the delivery runs on the calling \
      thread.\(subject.origin)
      """, at: subject.site)
  }

  static func notANumber(_ subject: DiagnosticSubject) -> Misuse {
    Misuse(
      .notANumber,
      """
      The debounceTimeout of \(subject.name) is not a number. Pass seconds. In a release build it means zero: delivery \
      on the next turn.\(subject.origin)
      """, at: subject.site)
  }

  static func noEdges(_ subject: DiagnosticSubject) -> Misuse {
    Misuse(
      .noEdges,
      """
      The policy of \(subject.name) has neither a leading nor a trailing edge, so it never delivers. Give it at least \
      one edge. In a release build nothing is delivered.\(subject.origin)
      """, at: subject.site)
  }

  static func limitBelowOne(_ limit: Int, of subject: DiagnosticSubject) -> Misuse {
    Misuse(
      .limitBelowOne,
      """
      The limit of \(subject.name) is \(limit). A collector keeps at least one element: pass one or more. In a release \
      build the limit is one.\(subject.origin)
      """, at: subject.site)
  }

  package static func nestedAdvance() -> Misuse {
    Misuse(
      .nestedAdvance,
      """
      A TestScheduler was advanced from inside work that it runs, or from two threads at once. Advance it from the \
      test itself, or schedule more work instead. In a release build the inner call has no effect.
      """, at: nil)
  }

  private static func at(_ site: CallSite?) -> String {
    site.map { " at \($0)" } ?? ""
  }

  private static func added(_ site: CallSite?) -> String {
    if let site {
      return "It was added at \(site)."
    }
    return isDebugBuild
      ? "It was added by a method passed as a function value, so the place is not known."
      : "The place where it was added is known in debug builds only."
  }
}
