public import SimpleEvents

extension Misuse.Kind {
  /// A variable was bound to itself, or to a variable that follows it.
  ///
  /// The second case is flagged only if the values are not `Equatable`.
  ///
  /// A circle that passes through an operator, `asObservable()` or `forward(to:)` is not detected.
  public static var boundInCircle: Self { Self() }
}

extension Misuse {
  static func boundToItself(_ subject: DiagnosticSubject, at site: CallSite) -> Self {
    Misuse(
      .boundInCircle, subject, at: site, "A \(subject.name) was bound to itself at \(site).",
      "Bind it to another observable.", release: "the binding has no effect")
  }

  static func boundInCircle(_ subject: DiagnosticSubject, at site: CallSite) -> Self {
    Misuse(
      .boundInCircle, subject, at: site,
      """
      A \(subject.name) was bound at \(site) to a variable that follows it: the two would set each other \
      without end, because their values cannot be compared.
      """, "Make the values Equatable, or bind in one direction only.",
      release: "each assignment sets the variables in turn, without end")
  }
}
