/// A programming error that the library has detected: its kind, its place and its remedy.
public struct Misuse: Sendable {
  /// The kind of a misuse.
  ///
  /// Each kind is a static member, declared by the product that flags it. Its page cites the contract in
  /// parentheses.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the static member.
    public let description: String

    /// Creates the kind that a static member returns, with the name of the member.
    package init(_ name: String = #function) { description = name }
  }

  /// The kind of error.
  public let kind: Kind
  /// One paragraph: the error, the objects, the remedy, and the places in the source as far as they are
  /// known.
  public let message: String
  /// The place at fault.
  package let site: CallSite?

  /// The module and the file at fault; nil if they are not known.
  public var fileID: String? { site.map { "\($0.fileID)" } }
  /// The line at fault, counted from one; nil if it is not known.
  public var line: UInt? { site?.line }
}
