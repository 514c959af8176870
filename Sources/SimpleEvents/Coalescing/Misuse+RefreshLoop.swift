extension Misuse.Kind {
  /// The body of a refresh loop waits for its own run to end (L5).
  public static var waitedInsideRun: Self { Self() }
}

extension Misuse {
  static func waitedInsideRun(_ call: String, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .waitedInsideRun, subject, at: subject.site,
      "The body of \(subject.name) called \(call) in its own task, where it would wait for itself.",
      "Call it from another task: Task { await loop.\(call) }.", release: "the call does not wait")
  }
}
