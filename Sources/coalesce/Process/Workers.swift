/// The threads of the program, except the main thread, which waits for signals.
struct Workers: Sendable {
  /// The thread that runs the job. The job reads standard input.
  let job: Worker
  /// The thread that applies the policy and delivers: the scheduler.
  let turns: Worker
  /// The threads that wait for the end of commands, one command each.
  let children: [Worker]
  /// The thread that ends the job after a signal.
  let end: Worker
  /// The thread that enforces time limits. Its work never blocks, so it is never late.
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
