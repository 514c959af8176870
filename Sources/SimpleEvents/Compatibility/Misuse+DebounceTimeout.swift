extension Misuse {
  static func notANumber(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .notANumber, subject, at: subject.site, "The debounceTimeout of \(subject.name) is not a number.",
      "Pass the timeout in seconds.", release: "the timeout is zero: delivery on the next turn")
  }
}
