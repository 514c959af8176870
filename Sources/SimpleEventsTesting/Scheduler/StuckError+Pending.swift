public import SimpleEvents

extension TestScheduler.StuckError {
  /// An object or a wait that was pending when the run threw its error.
  public struct Pending: Sendable, CustomStringConvertible {
    /// The things that can be pending.
    public enum Kind: Sendable, Hashable {
      /// A run of a refresh loop or batch loop was in progress, or its task had not begun yet.
      case loopRun
      /// An event, a callback, a collector, a group observer or a loop had a delivery to make.
      case delivery
      /// A task waited for a loop, for a notification, for a value of a mailbox, for a rate limiter, or for
      /// another scheduler's time.
      case wait
    }

    /// Whether it is a run, a delivery or a wait.
    public let kind: Kind
    /// The type of the object that runs, delivers or is awaited.
    public let type: String
    /// The label of that object; nil if it has none.
    public let label: String?
    /// The place where that object was created; nil if it is not known.
    public let site: CallSite?
    /// The pending run, delivery or wait, with the type, the label and the place.
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
  /// The name, and in parentheses the place where the object was created.
  var nameAndSite: String { site.map { "\(name) (created at \($0))" } ?? name }
}
