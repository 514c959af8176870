/// The threads of the program, except for the main thread, which waits for signals.
struct Workers: Sendable {
  /// Does the work of the program: reads standard input.
  let job: Worker
  /// Decides and delivers: the scheduler.
  let turns: Worker
  /// Waits for the end of commands.
  let children: Worker
  /// Ends the work after a signal.
  let end: Worker
  /// Enforces time limits. Its work never blocks, so it is never late.
  let alarm: Worker

  init() throws(SystemError) {
    job = try Worker()
    turns = try Worker()
    children = try Worker()
    end = try Worker()
    alarm = try Worker()
  }
}
