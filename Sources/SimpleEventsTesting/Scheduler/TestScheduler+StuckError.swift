public import SimpleEvents

extension TestScheduler {
  /// The error of a run whose body does not end (S4).
  public struct StuckError: Error, CustomStringConvertible {
    /// The reasons for which a run throws this error.
    public enum Reason: Sendable, Hashable {
      /// The body has not ended, and no pending work could resume it.
      case nothingPending
      /// The body has not ended after this number of entries.
      case limitReached(Int)
      /// The scheduler already ran entries of another run or advance, so the body was not called.
      case nested
    }

    /// An entry of the scheduler that was pending when the run threw the error.
    public struct Entry: Sendable, Hashable {
      /// The instant at which the entry is due.
      public let deadline: EventInstant
      /// Whether the entry is a job of a task. Otherwise it is scheduled work, for instance the end of a
      /// sleep.
      public let isJob: Bool

      package init(deadline: EventInstant, isJob: Bool) {
        self.deadline = deadline
        self.isJob = isJob
      }
    }

    /// The call that began the run.
    public let run: CallSite
    /// The reason for the error.
    public let reason: Reason
    /// The virtual time at which the run threw the error.
    public let instant: EventInstant
    /// The first pending entries, at most sixteen.
    ///
    /// With the reason ``Reason/nothingPending``, these entries are due at `EventInstant.distantFuture`.
    public let waiting: [Entry]
    /// The number of all pending entries.
    public let waitingCount: Int
    /// The loops, the other objects and the waits of tasks that were pending, on this scheduler or elsewhere.
    ///
    /// An object is in the list only if work of the scheduler has made it pending at least once. A wait is in
    /// the list only if it began in work of the scheduler. A release build records no objects and waits, so
    /// the list is empty there. It is also empty with the reason ``Reason/nested``.
    public let pending: [Pending]
    /// The possible causes, beginning with the likely ones.
    public let likelyCauses: [String]

    /// The reason, the instant, the pending entries, the pending objects and waits, and the likely causes.
    public var description: String {
      let body = "The body of the run at \(run) has not ended at \(instant)"
      let what =
        switch reason {
        case .nothingPending: "\(body), and nothing is pending that could resume it."
        case .limitReached(let limit): "\(body), after \(limit) entries."
        case .nested:
          """
          The run at \(run) was not begun at \(instant), because the scheduler is inside another run or \
          advance.
          """
        }
      let entries =
        waiting.isEmpty
        ? ""
        : " Pending: \(waitingCount), the first "
          + waiting.map { "\($0.isJob ? "a job" : "work") at \($0.deadline)" }.joined(separator: ", ")
          + "."
      let findings = pending.isEmpty ? "" : " Found: \(pending.map(\.description).joined(separator: "; "))."
      return what + entries + findings + " Likely causes: " + likelyCauses.joined(separator: "; ") + "."
    }
  }
}

extension TestScheduler.StuckError {
  /// An object or a wait that was pending when the run threw its error.
  public struct Pending: Sendable, CustomStringConvertible {
    /// The kinds of pending things.
    public enum Kind: Sendable, Hashable {
      /// A run of a refresh loop or batch loop was in progress, or the task of the run had not begun yet.
      case loopRun
      /// An event, a callback, a collector, a group observer or a loop had a delivery pending.
      case delivery
      /// A task waited for a loop, for a notification, for a value of a mailbox or an observable, for a rate
      /// limiter, or for another scheduler's time.
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
