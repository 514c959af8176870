public import SimpleEvents

extension Misuse.Kind {
  /// A source failed whose publisher has no failure.
  public static var unexpectedError: Self { Self() }
}

extension Misuse {
  package static func unexpectedError(_ error: any Error, of subject: DiagnosticSubject, at site: CallSite)
    -> Self
  {
    Misuse(
      .unexpectedError, subject, at: site,
      """
      A \(subject.name) failed, though its publisher was made at \(site) as one that never fails. The error: \
      \(error).
      """,
      "Use publisher, which fails with the error.", release: "the publisher finishes")
  }
}
