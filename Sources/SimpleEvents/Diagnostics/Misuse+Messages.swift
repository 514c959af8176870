// Every message of the package, in one place.

extension Misuse {
  static func addedTwice(_ name: String, to subject: DiagnosticSubject, at site: CallSite?, first: CallSite?)
    -> Self
  {
    Misuse(
      .addedTwice, subject, at: site ?? first,
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
      """
      Remove it in its deinit at the latest (isolated deinit in a main-actor class), or observe with a token, which \
      removes its block by itself.
      """,
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

  static func feedback(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .feedback, subject, at: subject.site,
      """
      \(subject.name) has delivered \(FeedbackWatch.limit) times in a row, each time only because of a signal from inside \
      its own delivery.
      """, "Signal it in its own delivery only if there is more to do.", release: "it goes on")
  }

  static func addedWhileCombining(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .addedWhileCombining, subject, at: subject.site,
      "The function that combines the elements of \(subject.name) added an element to it.",
      "Return one element for two, and add from elsewhere.", release: "the element is dropped and counted")
  }

  static func waitedInsideRun(_ call: String, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .waitedInsideRun, subject, at: subject.site,
      "The body of \(subject.name) called \(call) in its own task, where it would wait for itself.",
      "Call it from another task: Task { await loop.\(call) }.", release: "the call does not wait")
  }

  static func sharedIterator(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .sharedIterator, subject, at: subject.site,
      "Two tasks wait for the notifications of \(subject.name) with one iterator.",
      "Make an iterator for each task: several tasks may iterate over one sequence.",
      release: "the task that has waited longer receives nil")
  }

  package static func boundToItself(_ subject: DiagnosticSubject, at site: CallSite) -> Self {
    Misuse(
      .boundInCircle, subject, at: site, "A \(subject.name) was bound to itself at \(site).",
      "Bind it to another observable.", release: "the binding has no effect")
  }

  package static func boundInCircle(_ subject: DiagnosticSubject, at site: CallSite) -> Self {
    Misuse(
      .boundInCircle, subject, at: site,
      """
      A \(subject.name) was bound at \(site) to a variable that follows it: the two would set each other without end, \
      since their values cannot be compared.
      """, "Make the values Equatable, or bind in one direction only.",
      release: "each value that is set goes round without end")
  }

  package static func setAfterEnd(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .setAfterEnd, subject, at: nil, "A \(subject.name) was set after it had finished or failed.",
      "Set it before, or do not end it: a variable that is deallocated ends by itself.",
      release: "the assignment is ignored")
  }

  package static func unexpectedError(_ error: any Error, of subject: DiagnosticSubject, at site: CallSite)
    -> Self
  {
    Misuse(
      .unexpectedError, subject, at: site,
      """
      A \(subject.name) failed, though its publisher was made at \(site) as one that never fails. The error: \(error).
      """,
      "Use publisher, which fails with the error.", release: "the publisher finishes")
  }

  package static func nestedAdvance(of subject: DiagnosticSubject) -> Self {
    Misuse(
      .nestedAdvance, subject, at: subject.site,
      "\(subject.name) was advanced from inside work that it runs, or from two threads at once.",
      "Advance it from the test itself, or schedule more work instead.",
      release: "the inner call has no effect")
  }

  package static func nestedRun(of subject: DiagnosticSubject, at site: CallSite) -> Self {
    Misuse(
      .nestedAdvance, subject, at: site,
      "\(subject.name) was asked to run a body\(at(site)) from inside work that it runs, or from two threads at once.",
      "Await the inner body in the outer one, or give it a scheduler of its own.",
      release: "the inner call throws Stuck, and does not call its body")
  }

  /// - Parameters:
  ///   - subjects: The objects that asked for most of the entries.
  ///   - hasJobs: Whether jobs of tasks are among the entries that are due.
  package static func advanceLimitReached(
    _ limit: Int, of subject: DiagnosticSubject, at instant: String, by subjects: [DiagnosticSubject],
    hasJobs: Bool
  ) -> Self {
    let objects = subjects.map { "\($0.name)\($0.origin(", created"))" }.joined(separator: "; ")
    let cause =
      !subjects.isEmpty
      ? "These deliver there again and again: \(objects)."
      : hasJobs
        ? "It runs jobs of tasks there, one after the other."
        : "The work there schedules more work, again and again."
    return Misuse(
      .advanceLimitReached, subject, at: subjects.first?.site ?? subject.site,
      """
      \(subject.name) has run \(max(limit, 0)) entries in one advance, which is the limit, and work is still due at \
      \(instant). \(cause)
      """,
      """
      Trigger an object from inside its own deliveries only while something has changed, or give it a policy with an \
      interval. If the work has an end, pass a larger limit.
      """, release: "the advance ends, and time stays at that instant")
  }

  package static func foreignJob(_ count: Int, on subject: DiagnosticSubject, duringRunAt site: CallSite)
    -> Self
  {
    Misuse(
      .foreignJob, subject, at: site,
      """
      \(count == 1 ? "A job of a task" : "\(count) jobs of tasks") came to \(subject.name) from another thread during \
      the run\(at(site)): code outside of the scheduler has resumed the task.
      """,
      """
      Pass the scheduler and its clock to the code that takes a queue or a clock. If the body has to wait for other \
      threads, allow it with run(outside: .awaited(…)).
      """,
      release: "the job runs after the run as well, with the scheduler's next entries")
  }

  static func mainActorBlocked(_ function: String, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .mainActorBlocked, subject, at: subject.site,
      """
      The \(function) of \(subject.name) belongs to the main actor, whose thread is inside an advance or a run of a test \
      scheduler: it cannot be called before that returns.
      """,
      """
      Await scheduler.runOnMain { … } in the test, which gives the main actor its turns, or make the \
      \(function) nonisolated, as a closure in a nonisolated test or function is.
      """,
      release: "it is called once the main actor has a turn, at the instant that the scheduler has by then")
  }

  /// Creates a misuse with its message, in this order: the error, the remedy, the effect in a release build (marked as
  /// such), the places in the source.
  private init(
    _ kind: Kind, _ subject: DiagnosticSubject, at site: CallSite?, _ error: String, _ remedy: String,
    release effect: String, _ registration: String = ""
  ) {
    let message = "\(error) \(remedy) In a release build \(effect).\(registration)\(subject.origin)"
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
