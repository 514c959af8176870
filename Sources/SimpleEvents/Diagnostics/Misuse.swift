/// A programming error that the library has detected, with its kind, its place and its remedy.
public struct Misuse: Sendable {
  /// The kind of a misuse.
  ///
  /// Each kind is a static member, which is declared in the product that flags the kind. The documentation of
  /// the member cites the contract in parentheses.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the static member.
    public let description: String

    /// Creates the kind that a static member returns, with the name of the member.
    package init(_ name: String = #function) { description = name }
  }

  /// The kind of error.
  public let kind: Kind
  /// One paragraph that states the error, the objects, the remedy, and the known places in the source.
  public let message: String
  /// The place of the error in the source; nil if it is not known.
  package let site: CallSite?

  /// The module and the file that contain the line; nil if they are not known.
  public var fileID: String? { site.map { "\($0.fileID)" } }
  /// The line of the error, counted from one; nil if it is not known.
  ///
  /// If the call in error has no parameter `line:`, for example a `flush()`, this can be the line that
  /// registered the block or created the object.
  public var line: UInt? { site?.line }
}

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
