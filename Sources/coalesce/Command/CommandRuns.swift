internal import CPlatform
internal import SimpleEvents
internal import Synchronization

/// Runs the command, as many times in parallel as the settings allow.
final class CommandRuns: Sendable {
  private struct State {
    /// The commands of the runs in progress. After `end()`, the commands stay in the array.
    var running: [ChildProcess] = []
    /// The last command, if it may have left processes. They are ended before the next run. Set only if one
    /// run is allowed at a time.
    var last: ChildProcess?
    /// Whether no further run may start.
    var hasEnded: Bool = false

    var children: [ChildProcess] { last.map { [$0] } ?? running }
  }

  private let settings: FilterSettings
  private let notices: LossNotices
  private let workers: Workers
  /// Guards the state.
  private let state: Guarded<State> = Guarded(State())
  /// Held during a start, which lasts until the command executes its program. That may take any time, for
  /// example on a file system that does not answer.
  private let starting: Mutex<Void> = Mutex(())
  /// Guards the list of threads that can wait for a command.
  private let waiters: Guarded<[Worker]>
  /// Guards the exit status of the last run; zero before the first.
  private let status: Guarded<Int32> = Guarded(0)

  init(_ settings: FilterSettings, _ notices: LossNotices, on workers: Workers) {
    self.settings = settings
    self.notices = notices
    self.workers = workers
    waiters = Guarded(workers.children)
  }

  /// The exit status of the last run; zero before the first.
  var lastStatus: Int32 { status.withLock { $0 } }

  /// Whether no further run may start, because a signal ends the program.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Runs the command, and waits for its end. A cancellation ends the command.
  ///
  /// - Parameters:
  ///   - batch: The lines of the run.
  ///   - key: The key of the lines; nil without an option for keys.
  func run(_ batch: LineBatch, of key: LineKey? = nil) async {
    if settings.givesLines { notices.note(batch) } else { notices.noteCut(batch) }
    if settings.clearsTerminal { Terminal.clear() }
    let start = workers.turns.now
    guard let child = self.start(batch, key) else { return }
    let status = await withTaskCancellationHandler {
      await onChildren { [self] in child.wait { reportStop(child, key) } }
    } onCancel: {
      child.end(grace: settings.grace)
    }
    didEnd(child, status)
    if settings.isVerbose {
      let time = WallClock.seconds(start.duration(to: workers.turns.now))
      Output.report("\(name(key)): status \(status) after \(time) s")
    }
  }

  /// Lets no further run start, except for a start in progress.
  func startNoMore() { state.withLock { $0.hasEnded = true } }

  /// Ends the runs in progress and the processes that the last run has left. No further run starts.
  func end() {
    startNoMore()
    endChildren()
    // If a start is in progress, this call waits for it. No start follows, and the started command is ended
    // below.
    starting.withLock { _ in }
    endChildren()
  }

  private func endChildren() {
    for child in state.withLock({ $0.children }) { child.end(grace: settings.grace) }
  }

  /// Waits until the processes to which SIGTERM was sent have ended.
  func waitForEnd() {
    for child in state.withLock({ $0.children }) { child.waitForEnd() }
  }

  /// Stops the runs in progress and the program. When the program is continued, continues the runs.
  ///
  /// Between the stop of the runs and the stop of the program, no command starts. The exception is a start
  /// that takes longer than a tenth of a second.
  func suspend(_ stop: () -> Void) {
    var hasContinued = false
    for _ in 0..<100 {
      let isDone = starting.withLockIfAvailable { _ in
        suspendChildren(sharing: hasContinued, stop)
        return true
      }
      if isDone == true { return }
      // The suspend key may have stopped a command that does not execute its program yet. Its start ends when
      // the command is continued.
      hasContinued = platform_continue_stopped_child() || hasContinued
      usleep(1_000)
    }
    suspendChildren(sharing: hasContinued, stop)
  }

  /// - Parameters:
  ///   - sharing: Whether a command that shares the program's group is stopped as well.
  ///   - stop: Stops the program, and returns when the program is continued.
  private func suspendChildren(sharing: Bool, _ stop: () -> Void) {
    let children = state.withLock { $0.children }
    for child in children { child.sendToGroup(SIGTSTP, sharing: sharing) }
    stop()
    for child in children { child.sendToGroup(SIGCONT) }
  }

  /// Kills the runs in progress. No further run starts. This method waits for a start in progress, for about
  /// a tenth of a second at most.
  func kill() {
    startNoMore()
    for _ in 0..<100 {
      for child in state.withLock({ $0.children }) { child.kill() }
      if starting.withLockIfAvailable({ _ in true }) == true { break }
      usleep(1_000)
    }
    for child in state.withLock({ $0.children }) { child.kill() }
  }

  /// Ends the processes that the last run has left, if the settings require it. Called before the next run.
  func endRemains() async {
    guard let last = state.withLock({ $0.hasEnded ? nil : $0.last }) else { return }
    last.end(grace: settings.grace)
    await onChildren { last.waitForEnd() }
  }

  /// The name of the command with its key, for messages.
  private func name(_ key: LineKey?) -> String {
    settings.command[0] + (key.map { " for \($0)" } ?? "")
  }

  /// Calls `wait` on one of the threads that can wait for a command, so that no other thread is blocked. A
  /// run uses one of these threads at a time.
  private func onChildren<Result: Sendable>(_ wait: @escaping @Sendable () -> Result) async -> Result {
    let waiter = waiters.withLock { $0.removeLast() }
    defer { waiters.withLock { $0.append(waiter) } }
    return await withCheckedContinuation { continuation in
      waiter.schedule { continuation.resume(returning: wait()) }
    }
  }

  private func reportStop(_ child: ChildProcess, _ key: LineKey?) {
    if child.end(grace: settings.grace) {
      Output.report(
        "\(name(key)) was stopped because it uses the terminal, and is ended: see --foreground")
    }
  }

  private func didEnd(_ child: ChildProcess, _ status: Int32) {
    self.status.withLock { $0 = status }
    state.withLock { state in
      if state.hasEnded { return }
      state.running.removeAll { $0 === child }
      if settings.grouping == .ownAndEnded { state.last = child }
    }
  }

  private func start(_ batch: LineBatch, _ key: LineKey?) -> ChildProcess? {
    let dropped = settings.givesLines ? batch.droppedCount : 0
    var variables = [
      Array("COALESCE_LAST=".utf8) + batch.newest.prefix(65_536).prefix { $0 != 0 },
      Array("COALESCE_COUNT=\(batch.count)".utf8),
      Array("COALESCE_DROPPED=\(dropped)".utf8),
    ]
    if let key { variables.append(Array("COALESCE_KEY=".utf8) + key.bytes) }
    do throws(StartError) {
      let input =
        settings.givesLines
        ? try BatchFile(batch.lines) : try BatchFile(isForeground: settings.grouping == .shared)
      // While the lock is held, no other command starts. No command starts after `end()` has returned.
      return try starting.withLock { _ -> Result<ChildProcess?, StartError> in
        if state.withLock({ $0.hasEnded }) { return .success(nil) }
        do throws(SystemError) {
          let child = try ChildProcess.start(
            lastArguments: settings.command.count, key: key, variables: variables, input: input.file,
            grouping: settings.grouping, alarm: workers.alarm)
          state.withLock { state in
            state.running.append(child)
            state.last = nil
          }
          return .success(child)
        } catch {
          return .failure(StartError(part: .command, error))
        }
      }.get()
    } catch {
      Output.report(error.message(settings.command[0]))
      status.withLock { $0 = error.status }
      return nil
    }
  }
}
