/// The work of the program, which a signal can end.
protocol Job: Sendable {
  /// Does the work to its end; returns the exit status.
  func run() -> Int32

  /// Ends the work in an orderly way, while another thread runs it. The program exits after it.
  func end()

  /// The longest time that ``end()`` may take.
  var endLimit: Duration { get }

  /// Kills processes that must not outlive the program. The program exits after it, even if ``end()`` has not
  /// returned.
  func abandon()

  /// Stops the program, together with processes that the terminal does not stop.
  ///
  /// - Parameter stop: Stops the program; returns when it is continued.
  func suspend(_ stop: () -> Void)

  /// The numbers of lines so far; nil for work that has none.
  var lines: LineCounts? { get }
}

extension Job {
  func suspend(_ stop: () -> Void) { stop() }

  var lines: LineCounts? { nil }
}

/// The numbers of lines of standard input.
struct LineCounts {
  /// The number of lines that have come.
  var total: Int
  /// The number of those that were dropped, by a limit or as the following ones.
  var dropped: Int
  /// The number of those that came during a run or shortly after it; nil if such lines are not dropped.
  var settled: Int?

  /// Adds the lines that were dropped because of a run to the others.
  ///
  /// - Parameters:
  ///   - accepted: The number of the other lines.
  ///   - dropped: The number of those that were dropped.
  ///   - settled: The number of lines that were dropped because of a run.
  ///   - isSettling: Whether such lines are dropped.
  init(accepted: Int, dropped: Int, settled: Int = 0, isSettling: Bool = false) {
    total = accepted + settled
    self.dropped = dropped + settled
    self.settled = isSettling ? settled : nil
  }
}
