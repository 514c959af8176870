public import SimpleEvents

extension Misuse.Kind {
  /// A run of a loop waits for its own end, or for another run of its loop (L5, L10, K5).
  public static var waitedInsideRun: Self { Self() }
  /// A task called the method that hosts a loop, but the loop had another host or its own body (L7).
  public static var secondHost: Self { Self() }
  /// The limit of concurrent runs of a loop with a window for each key is below one (K4).
  public static var runsBelowOne: Self { Self() }
}

extension Misuse {
  static func waitedInsideRun(_ call: String, of subject: DiagnosticSubject) -> Self {
    // An answer comes from another run. That run may have to wait until the run of the caller has ended.
    let awaitsOtherRun = ["refresh()", "refresh(_:)", "process(_:)"].contains(call)
    return Misuse(
      .waitedInsideRun, subject, at: subject.site,
      """
      A run of \(subject.name), or a task that it has started, called \(call), which waits for \
      \(awaitsOtherRun ? "another run of the loop" : "the end of that run").
      """,
      awaitsOtherRun
        ? "Make the request without waiting for its answer, or let another loop make the run."
        : "Call it from another task: Task.detached { await loop.\(call) }.",
      release: "the call does not wait")
  }

  static func retriesWithoutWait(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .feedback, subject, at: subject.site,
      """
      \(subject.name) has failed \(FeedbackWatch.limit) times in a row, and was retried without a wait each \
      time.
      """, "Give its backoff a wait, or a rule that ends the retries.", release: "the retries continue")
  }

  static func secondHost(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .secondHost, subject, at: subject.site,
      "run was called on \(subject.name), but another task hosts it, or it has a body of its own.",
      "Create a loop without a body, and call run in one task at a time.",
      release: "the call returns without running its body")
  }

  static func runsBelowOne(_ count: Int, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .runsBelowOne, subject, at: subject.site,
      "The limit of concurrent runs of \(subject.name) is \(count).",
      "Pass one or more.", release: "one run is made at a time")
  }
}
