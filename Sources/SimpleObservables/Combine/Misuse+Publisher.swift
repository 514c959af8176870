public import SimpleEvents

extension Misuse.Kind {
  /// An observable failed, but the program uses it as a publisher that cannot fail.
  public static var unexpectedError: Self { Self() }
}

extension Misuse {
  package static func unexpectedError(_ error: any Error, of subject: DiagnosticSubject, at site: CallSite)
    -> Self
  {
    Misuse(
      .unexpectedError, subject, at: site,
      """
      A \(subject.name) failed, but its publisher, which was created at \(site), cannot fail. The error: \
      \(error).
      """,
      "Use the property 'publisher', which fails with the error.", release: "the publisher finishes")
  }
}
