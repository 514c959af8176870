/// One programming error that the library has noticed: what, where, and what to do about it.
public struct Misuse: Sendable {
  /// The errors that are flagged. The letters name the contract they break.
  public enum Kind: Sendable, Hashable {
    /// The same observer was added to a hub twice (H6).
    case addedTwice
    /// The observer is a value, which a weak list cannot hold (H6).
    case notAnObject
    /// An observer was removed that is not installed (H6).
    case notInstalled
    /// An observer was deallocated without having been removed (H6).
    case neverRemoved
    /// A notification cycle was started inside another one of the same hub, on the same thread (H6, E3).
    case nestedCycle
    /// A block that belongs to an actor was called outside it (E9).
    case wrongIsolation
    /// `flush()` was called off the scheduler that delivers (C7).
    case flushedElsewhere
    /// An interval is not a number (C8).
    case notANumber
    /// A policy has neither a leading nor a trailing edge, so it never delivers.
    case noEdges
    /// A test scheduler was advanced from inside work that it runs (S3).
    case nestedAdvance
  }

  /// Which error it is.
  public let kind: Kind
  /// What is wrong, with whom, and what to do, in one paragraph; names the origin where it is known.
  public let message: String
  /// Where the observer concerned was registered.
  package let site: RegistrationSite?

  /// The module and file where the observer concerned was registered; nil where that is not known.
  public var fileID: String? { site.map { "\($0.fileID)" } }
  /// The line in that file, counted from one.
  public var line: UInt? { site?.line }

  package init(_ kind: Kind, _ message: String, at site: RegistrationSite? = nil) {
    self.kind = kind
    self.message = message
    self.site = site
  }
}
