public import SimpleEvents

extension TestScheduler.StuckError {
  /// An object or a wait that was pending when the run threw its error.
  public struct Pending: Sendable, CustomStringConvertible {
    /// The kinds of pending things.
    public enum Kind: Sendable, Hashable {
      /// A run of a refresh loop or batch loop was in progress, or the task of the run had not begun yet.
      case loopRun
      /// An event, a callback, a collector, a group observer or a loop had a delivery pending.
      case delivery
      /// A task waited for a loop, for a notification, for a value of a mailbox, for a rate limiter, or for
      /// another scheduler's time.
      case wait
    }

    /// Whether a run, a delivery or a wait was pending.
    public let kind: Kind
    /// The type of the object that runs, delivers or is awaited.
    public let type: String
    /// The label of the object; nil if it has none.
    public let label: String?
    /// The place where the object was created; nil if it is not known.
    public let site: CallSite?
    /// A description of the run, delivery or wait, with the type, the label and the place of the object.
    public let description: String

    init(_ kind: Kind, _ subject: DiagnosticSubject, _ description: String) {
      self.kind = kind
      type = "\(subject.type)"
      label = subject.label
      site = subject.site
      self.description = description
    }
  }
}

extension DiagnosticSubject {
  /// The name of the object, and in parentheses the place where it was created.
  var nameAndSite: String { site.map { "\(name) (created at \($0))" } ?? name }
}
