/// A programming error that the library has noticed: its kind, its place and its remedy.
public struct Misuse: Sendable {
  /// The errors that are flagged.
  ///
  /// The contract that describes an error is cited in parentheses. ``boundInCircle`` and ``unexpectedError`` belong to no
  /// contract.
  public enum Kind: Sendable, Hashable {
    /// An observer was added to a hub or event twice (H6).
    case addedTwice
    /// An observer is a value, which a list of weak references cannot hold (H6).
    case notAnObject
    /// An observer was removed that is not installed (H6).
    case notInstalled
    /// An observer was deallocated without having been removed (H6).
    case neverRemoved
    /// A notification cycle was started inside another one of the same list, on the same thread (H6, E3).
    case nestedCycle
    /// A block that belongs to an actor was about to be called off that actor (E9).
    case wrongIsolation
    /// A pending delivery was flushed off the scheduler that delivers (C7).
    case flushedElsewhere
    /// An interval is not a number (C8).
    case notANumber
    /// A policy has neither a leading nor a trailing edge, so it never delivers (C8).
    case noEdges
    /// The limit of a collector is below one (C9).
    case limitBelowOne
    /// The function that combines the elements of a collector added to the collector (C9).
    case addedWhileCombining
    /// An object has delivered 10,000 times in a row only because of signals from inside its own delivery (C11).
    case feedback
    /// The body of a refresh loop waits for its own run to end (L5).
    case waitedInsideRun
    /// Two tasks waited at one iterator of an event's notifications (N4).
    case sharedIterator
    /// A variable was bound to itself, directly or through other variables.
    case boundInCircle
    /// A variable was set after its end (V4).
    case setAfterEnd
    /// A source failed whose publisher has no failure.
    case unexpectedError
    /// A test scheduler was advanced from inside work that it runs (S3).
    case nestedAdvance
    /// Work was still due when an advance of a test scheduler had run as many entries as its limit allows (C11).
    case advanceLimitReached
    /// A thread that does not drive the test scheduler enqueued a job on it during a run (S4).
    case foreignJob
    /// An asynchronous body of the main actor was to be called while a test scheduler kept the main actor's thread (L6).
    case mainActorBlocked
  }

  /// The kind of error.
  public let kind: Kind
  /// One paragraph: the error, the objects, the remedy, and the places in the source as far as they are known.
  public let message: String
  /// The place at fault.
  package let site: CallSite?

  /// The module and the file at fault; nil where they are not known.
  public var fileID: String? { site.map { "\($0.fileID)" } }
  /// The line at fault, counted from one; nil where it is not known.
  public var line: UInt? { site?.line }
}
