/// The threads of the program, except for the main thread, which waits for signals.
struct Workers: Sendable {
  /// Does the work of the program: reads standard input.
  let job: Worker
  /// Decides and delivers: the scheduler.
  let turns: Worker
  /// Wait for the end of commands, one each.
  let children: [Worker]
  /// Ends the work after a signal.
  let end: Worker
  /// Enforces time limits. Its work never blocks, so it is never late.
  let alarm: Worker

  /// Starts the threads.
  ///
  /// - Parameter commandCount: The largest number of commands at the same time.
  init(commandCount: Int = 1) throws(SystemError) {
    job = try Worker()
    turns = try Worker()
    var children: [Worker] = []
    for _ in 0..<commandCount { children.append(try Worker()) }
    self.children = children
    end = try Worker()
    alarm = try Worker()
  }
}
