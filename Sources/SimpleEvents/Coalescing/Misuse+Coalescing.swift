extension Misuse.Kind {
  /// An interval, or the factor of a backoff, is not a number (C8).
  public static var notANumber: Self { Self() }
  /// A policy has neither a leading nor a trailing edge, so it never delivers (C8).
  public static var noEdges: Self { Self() }
  /// An object was flushed off the scheduler on which it delivers, even if nothing was pending (C7).
  public static var flushedOffScheduler: Self { Self() }
  /// An object has delivered 10,000 times in a row only because of signals from inside its own delivery
  /// (C11).
  ///
  /// A loop is also flagged after 10,000 failures in a row that were retried without a wait.
  public static var feedback: Self { Self() }
}

extension DiagnosticSubject {
  /// Flags a flush off the scheduler (C7).
  func flagFlush(off turns: TurnSource) {
    if misuse.isActive && turns.scheduler.isKnownElsewhere { misuse.flag(.flushedOffScheduler(self)) }
  }
}

extension Misuse {
  static func noEdges(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .noEdges, subject, at: subject.site,
      "The policy of \(subject.name) has neither a leading nor a trailing edge, so it never delivers.",
      "Give it at least one edge.", release: "nothing is delivered")
  }

  static func flushedOffScheduler(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .flushedOffScheduler, subject, at: subject.site,
      "\(subject.name) was flushed off its scheduler, so a pending delivery runs on the wrong thread.",
      "Flush from work on that scheduler. For a queue, use queue.sync or queue.async.",
      release: "the delivery runs on the calling thread")
  }

  static func feedback(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .feedback, subject, at: subject.site,
      """
      \(subject.name) has delivered \(FeedbackWatch.limit) times in a row, each time only because of a \
      signal from inside its own delivery.
      """, "Signal the object inside its own delivery only if there is more to do.",
      release: "the deliveries continue")
  }
}
