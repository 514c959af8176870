extension Misuse.Kind {
  /// Two tasks used one iterator of an event's notifications at the same time (N4).
  public static var sharedIterator: Self { Self() }
}

extension Misuse {
  static func sharedIterator(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .sharedIterator, subject, at: subject.site,
      "Two tasks wait for the notifications of \(subject.name) with one iterator.",
      "Make an iterator for each task: several tasks may iterate over one sequence.",
      release: "the task that has waited longer receives nil")
  }
}
