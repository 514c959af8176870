package import SimpleEvents
internal import SimpleEventsLoops

/// The settings of the filter.
package struct FilterSettings: Equatable, Sendable {
  /// The handling of lines that arrive while the command runs.
  package enum BusyMode: String, CaseIterable, Sendable {
    case rerun, restart, ignore

    /// The mode of a loop.
    var loopMode: RefreshLoop.WhenBusy {
      switch self {
      case .rerun: .rerun
      case .restart: .restart
      case .ignore: .ignore
      }
    }
  }

  /// The processes to which a command belongs.
  package enum Grouping: Equatable, Sendable {
    /// A group of its own. Processes of the group that are left at the end of a run continue.
    case own
    /// A group of its own, which is ended before the next run.
    case ownAndEnded
    /// The group of the program, which may use the terminal.
    case shared
  }

  /// The field whose values have a window each; nil for one window for all lines.
  package var key: KeyField?
  /// The largest number of runs at the same time.
  package var jobs: Int = 1
  /// The largest rate of the runs; nil for none.
  package var rate: RunRate?
  package var policy: CoalescingPolicy = .throttle(.milliseconds(100))
  package var keeping: LineBatch.Keeping = .newest
  package var writesCount: Bool = false
  package var writesTime: Bool = false
  /// The last byte of each line.
  package var delimiter: UInt8 = LineSplitter.newline
  /// The largest number of bytes of a line, and of the lines of a batch. The largest number means none.
  package var limit: Int = 1 << 20
  /// The command with its arguments; empty for none.
  package var command: [String] = []
  package var whenBusy: BusyMode = .rerun
  package var givesLines: Bool = false
  package var grace: Duration = .seconds(5)
  package var grouping: Grouping = .own
  /// The time after a run for which lines are ignored, as they are during the run; nil if none are.
  package var settle: Duration?
  package var startsNow: Bool = false
  package var clearsTerminal: Bool = false
  package var isVerbose: Bool = false
  package var writesStatistics: Bool = false
  /// The path of the file for the deliveries; nil for none.
  package var trace: String?
  /// A word of warning about the command line, for standard error; nil for none.
  package var warning: String?

  package init() {}

  /// The longest time for the end of a command: the grace period, a second after SIGKILL, and a spare second.
  /// A safeguard that is normally not reached.
  var endLimit: Duration { grace + .seconds(2) }
}
