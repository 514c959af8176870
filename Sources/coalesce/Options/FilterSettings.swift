package import SimpleEvents
internal import SimpleEventsLoops

/// The settings of the filter.
package struct FilterSettings: Equatable, Sendable {
  /// The treatment of lines that arrive while the command runs.
  package enum BusyMode: String, CaseIterable, Sendable {
    case rerun, restart, ignore

    /// The loop's mode that corresponds to this one.
    var loopMode: RefreshLoop.WhenBusy {
      switch self {
      case .rerun: .rerun
      case .restart: .restart
      case .ignore: .ignore
      }
    }
  }

  /// The process group in which the command runs, and the time at which the group is ended.
  package enum Grouping: Equatable, Sendable {
    /// The command has a group of its own. Processes that are left in the group at the end of a run continue.
    case own
    /// The command has a group of its own. Processes that are left in it are ended before the next run.
    case ownAndEnded
    /// The command belongs to the group of the program, and may use the terminal.
    case shared
  }

  /// The field that is the key; nil for one window for all lines. Each key has a window of its own.
  package var key: KeyField?
  /// The largest number of runs at the same time.
  package var jobs: Int = 1
  /// The largest rate of the runs; nil for no limit.
  package var rate: RunRate?
  package var policy: CoalescingPolicy = .throttle(.milliseconds(100))
  package var keeping: LineBatch.Keeping = .newest
  package var writesCount: Bool = false
  package var writesTime: Bool = false
  /// The last byte of each line.
  package var delimiter: UInt8 = LineSplitter.newline
  /// The largest number of bytes of a line, and of the lines of a batch. `Int.max` means no limit.
  package var limit: Int = 1 << 20
  /// The command with its arguments; empty if there is no command.
  package var command: [String] = []
  package var whenBusy: BusyMode = .rerun
  package var givesLines: Bool = false
  package var grace: Duration = .seconds(5)
  package var grouping: Grouping = .own
  /// The time for which lines are still ignored after a run. Lines during the run are ignored, too. If the
  /// time is nil, no line is ignored.
  package var settle: Duration?
  package var startsNow: Bool = false
  package var clearsTerminal: Bool = false
  package var isVerbose: Bool = false
  package var writesStatistics: Bool = false
  /// The path of the file to which the deliveries are written as a trace; nil for no trace.
  package var trace: String?
  /// A warning about the command line, for standard error; nil if there is none.
  package var warning: String?

  package init() {}

  /// The longest time that the end of a command may take: the grace period, one second after SIGKILL, and one
  /// spare second. The limit is a safeguard that is normally not reached.
  var endLimit: Duration { grace + .seconds(2) }
}
