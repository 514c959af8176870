public import SimpleEvents

extension Misuse.Kind {
  /// A variable was set after its end (V4). The message does not name the place of the assignment; the
  /// backtrace does.
  public static var setAfterEnd: Self { Self() }
}

extension Misuse {
  static func setAfterEnd(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .setAfterEnd, subject, at: nil, "A \(subject.name) was set after it had finished or failed.",
      "Set it before its end, or do not end it: a variable ends when it is deallocated.",
      release: "the assignment is ignored")
  }
}
