/// The work of the program. A signal can end it.
protocol Job: Sendable {
  /// Does the work to its end; returns the exit status.
  func run() -> Int32

  /// Ends the work in an orderly way, while another thread runs it. The program exits after this call.
  func end()

  /// The longest time that ``end()`` may take.
  var endLimit: Duration { get }

  /// Kills processes that must not outlive the program. The program exits after this call, even if ``end()``
  /// has not returned.
  func abandon()

  /// Stops the program, and the processes that the terminal does not stop.
  ///
  /// - Parameter stop: Stops the program, and returns when the program is continued.
  func suspend(_ stop: () -> Void)

  /// The numbers of lines so far; nil for work without lines.
  var lines: LineCounts? { get }
}

extension Job {
  func suspend(_ stop: () -> Void) { stop() }

  var lines: LineCounts? { nil }
}

/// The numbers of lines of standard input.
struct LineCounts {
  /// The number of lines that have arrived.
  var total: Int
  /// The number of lines that were dropped, because of a limit or because of a run.
  var dropped: Int
  /// The number of lines that arrived during a run or shortly after it; nil if such lines are not dropped.
  var settled: Int?

  /// Creates the counts. The properties `total` and `dropped` include the lines that were dropped because of
  /// a run.
  ///
  /// - Parameters:
  ///   - accepted: The number of lines, without those that were dropped because of a run.
  ///   - dropped: The number of accepted lines that were dropped.
  ///   - settled: The number of lines that were dropped because of a run.
  ///   - isSettling: Whether lines that arrive during a run are dropped.
  init(accepted: Int, dropped: Int, settled: Int = 0, isSettling: Bool = false) {
    total = accepted + settled
    self.dropped = dropped + settled
    self.settled = isSettling ? settled : nil
  }
}
