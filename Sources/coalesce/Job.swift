/// The work of the program, which a signal can end.
protocol Job: Sendable {
  /// Does the work to its end; returns the exit status.
  func run() -> Int32

  /// Ends the work in an orderly way, while another thread runs it. The program exits after it.
  func end()

  /// The longest time that ``end()`` may take.
  var endLimit: Duration { get }

  /// Gives up what must not outlive the program. The program exits after it, also if ``end()`` has not
  /// returned.
  func abandon()
}
