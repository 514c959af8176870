package import SimpleEvents

/// The settings of the filter.
package struct FilterSettings: Equatable, Sendable {
  /// The use of lines that come during a run of the command.
  package enum BusyMode: String, Sendable {
    case rerun, restart, ignore
  }

  package var policy: CoalescingPolicy = .throttle(.milliseconds(100))
  package var keeping: LineBatch.Keeping = .newest
  package var writesCount: Bool = false
  package var writesTime: Bool = false
  /// The last byte of each line.
  package var delimiter: UInt8 = LineSplitter.newline
  /// The largest number of bytes of a line, and of the lines of a batch.
  package var limit: Int = 1 << 20
  /// The command with its arguments; empty for none.
  package var command: [String] = []
  package var whenBusy: BusyMode = .rerun
  package var givesLines: Bool = false
  package var grace: Duration = .seconds(5)

  package init() {}
}
