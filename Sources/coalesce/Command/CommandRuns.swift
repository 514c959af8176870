internal import CPlatform
internal import SimpleEvents

/// The runs of a command, one at a time.
final class CommandRuns: Sendable {
  private enum State {
    /// No run is in progress. The last run may have left processes, which are ended before the next run.
    case idle(last: ChildProcess?)
    case running(ChildProcess)
    /// No further run may start. The last run may be in progress, or may have left processes.
    case ended(last: ChildProcess?)

    var child: ChildProcess? {
      switch self {
      case .idle(let child), .ended(let child): child
      case .running(let child): child
      }
    }
  }

  private let settings: FilterSettings
  private let notices: LossNotices
  private let workers: Workers
  /// Guards the state.
  private let state: Guarded<State> = Guarded(.idle(last: nil))
  /// Guards the exit status of the last run; zero before the first.
  private let status: Guarded<Int32> = Guarded(0)

  init(_ settings: FilterSettings, _ notices: LossNotices, on workers: Workers) {
    self.settings = settings
    self.notices = notices
    self.workers = workers
  }

  /// The exit status of the last run; zero before the first.
  var lastStatus: Int32 { status.withLock { $0 } }

  /// Runs the command, and waits for its end. A cancellation ends the command.
  func run(_ batch: LineBatch) async {
    if settings.givesLines { notices.note(batch) }
    if settings.clearsTerminal { Terminal.clear() }
    let start = workers.turns.now
    guard let child = self.start(batch) else { return }
    let status = await withTaskCancellationHandler {
      await onChildren { [self] in child.wait { reportStop(child) } }
    } onCancel: {
      child.end(grace: settings.grace)
    }
    didEnd(child, status)
    if settings.isVerbose {
      let time = WallClock.seconds(start.duration(to: workers.turns.now))
      Output.report("\(settings.command[0]): status \(status) after \(time) s")
    }
  }

  /// Ends the run in progress, or the processes that the last run has left. No further run starts.
  func end() {
    let child = state.withLock { state in
      state = .ended(last: state.child)
      return state.child
    }
    child?.end(grace: settings.grace)
  }

  /// Waits until the processes to which SIGTERM was sent have ended.
  func waitForEnd() { state.withLock { $0.child }?.waitForEnd() }

  /// Stops the run in progress and the program, and continues the run with the program.
  ///
  /// Under the lock, so that no command starts between the two.
  func suspend(_ stop: () -> Void) {
    state.withLock { state in
      state.child?.sendToGroup(SIGTSTP)
      stop()
      state.child?.sendToGroup(SIGCONT)
    }
  }

  /// Kills the run in progress.
  func kill() { state.withLock { $0.child }?.kill() }

  /// Ends the processes that the last run has left, if the settings say so, before the next run.
  func endRemains() async {
    guard case .idle(let last?) = state.withLock({ $0 }) else { return }
    last.end(grace: settings.grace)
    await onChildren { last.waitForEnd() }
  }

  /// Waits on the thread for children, so that no other thread blocks.
  private func onChildren<Result: Sendable>(_ wait: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      workers.children.schedule { continuation.resume(returning: wait()) }
    }
  }

  private func reportStop(_ child: ChildProcess) {
    if child.end(grace: settings.grace) {
      Output.report(
        "\(settings.command[0]) was stopped because it uses the terminal, and is ended: see --foreground")
    }
  }

  private func didEnd(_ child: ChildProcess, _ status: Int32) {
    self.status.withLock { $0 = status }
    state.withLock { state in
      if case .running = state { state = .idle(last: settings.grouping == .ownAndEnded ? child : nil) }
    }
  }

  private func start(_ batch: LineBatch) -> ChildProcess? {
    let dropped = settings.givesLines ? batch.droppedCount : 0
    let variables = [
      Array("COALESCE_LAST=".utf8) + batch.newest.prefix(65_536).prefix { $0 != 0 },
      Array("COALESCE_COUNT=\(batch.count)".utf8),
      Array("COALESCE_DROPPED=\(dropped)".utf8),
    ]
    do throws(StartError) {
      let input =
        settings.givesLines
        ? try BatchFile(batch.lines) : try BatchFile(isForeground: settings.grouping == .shared)
      // Under the lock, so that no command starts during or after `end()`.
      return try state.withLock { state -> Result<ChildProcess?, StartError> in
        if case .ended = state { return .success(nil) }
        do throws(SystemError) {
          let child = try ChildProcess.start(
            lastArguments: settings.command.count, variables: variables, input: input.file,
            grouping: settings.grouping, alarm: workers.alarm)
          state = .running(child)
          return .success(child)
        } catch {
          return .failure(StartError(part: .command, error))
        }
      }.get()
    } catch {
      Output.report(error.message(settings.command[0]))
      let isFound = error.error.number == EACCES || error.error.number == ENOEXEC
      status.withLock { $0 = isFound ? 126 : 127 }
      return nil
    }
  }
}
