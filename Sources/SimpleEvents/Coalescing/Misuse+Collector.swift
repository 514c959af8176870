extension Misuse.Kind {
  /// The limit of a collector is below one (C9).
  public static var limitBelowOne: Self { Self() }
  /// The size of the batches of a collector is below one (C12).
  public static var batchSizeBelowOne: Self { Self() }
  /// A collector that combines its elements to one has a batch size (C12).
  public static var batchSizeWhileCombining: Self { Self() }
  /// The combining function of a collector has added an element to the same collector (C9).
  public static var addedWhileCombining: Self { Self() }
}

extension Misuse {
  static func limitBelowOne(_ limit: Int, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .limitBelowOne, subject, at: subject.site, "The limit of \(subject.name) is \(limit).",
      "Pass a limit of one or more.", release: "the limit is one")
  }

  static func batchSizeBelowOne(_ size: Int, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .batchSizeBelowOne, subject, at: subject.site, "The batch size of \(subject.name) is \(size).",
      "Pass a batch size of one or more.", release: "the batch size is one")
  }

  static func batchSizeWhileCombining(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .batchSizeWhileCombining, subject, at: subject.site,
      "\(subject.name) combines its elements to one, and has a batch size.",
      "Leave the batch size out, or keep elements by another rule.", release: "the batch size is ignored")
  }

  static func addedWhileCombining(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .addedWhileCombining, subject, at: subject.site,
      "The function that combines the elements of \(subject.name) added an element to the same object.",
      "Only return the combined element, and add elements outside the function.",
      release: "the element is dropped and counted")
  }
}
