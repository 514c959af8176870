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

  /// The module and the file of the error; nil if they are not known.
  public var fileID: String? { site.map { "\($0.fileID)" } }
  /// The line of the error, counted from one; nil if it is not known.
  public var line: UInt? { site?.line }
}
