extension Misuse {
  /// Creates a misuse. Its message states, in this order, the error, the remedy, the effect in a release
  /// build, and the places in the source.
  package init(
    _ kind: Kind, _ subject: DiagnosticSubject, at site: CallSite?, _ error: String, _ remedy: String,
    release effect: String, _ registration: String = ""
  ) {
    let message = "\(error) \(remedy) In a release build \(effect).\(registration)\(subject.origin)"
    self.init(kind: kind, message: message, site: site)
  }

  /// A space and the place of a call; empty if the place is not known.
  package static func at(_ site: CallSite?) -> String { site.map { " at \($0)" } ?? "" }

  /// A space and a sentence that says where an observer was added.
  static func added(_ site: CallSite?) -> String {
    if let site { return " It was added at \(site)." }
    return isDebugBuild
      ? " It was added by a method passed as a function value, so the place is not known."
      : " The place where it was added is known in debug builds only."
  }
}
