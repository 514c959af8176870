extension Misuse.Kind {
  /// The limit of a collector is below one (C9).
  public static var limitBelowOne: Self { Self() }
  /// The function that combines the elements of a collector added to the collector (C9).
  public static var addedWhileCombining: Self { Self() }
}

extension Misuse {
  static func limitBelowOne(_ limit: Int, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .limitBelowOne, subject, at: subject.site, "The limit of \(subject.name) is \(limit).",
      "At least one element is kept: pass one or more.", release: "the limit is one")
  }

  static func addedWhileCombining(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .addedWhileCombining, subject, at: subject.site,
      "The function that combines the elements of \(subject.name) added an element to it.",
      "Return one element for two, and add from elsewhere.", release: "the element is dropped and counted")
  }
}
