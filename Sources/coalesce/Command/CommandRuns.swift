internal import CPlatform
internal import Dispatch
internal import SimpleEvents

/// The runs of a command, one at a time.
final class CommandRuns: Sendable {
  private struct State {
    var child: ChildProcess?
    var lastStatus: Int32 = 0
    /// Whether no run may start any more.
    var isEnded: Bool = false
  }

  private let settings: FilterSettings
  private let notice: TruncationNotice
  /// Waits for the end of a process, so that no thread of the concurrency runtime blocks.
  private let queue: DispatchQueue = DispatchQueue(label: "coalesce.child")
  /// Guards the state.
  private let state: Guarded<State> = Guarded(State())

  init(_ settings: FilterSettings) {
    self.settings = settings
    notice = TruncationNotice(limit: settings.limit)
  }

  /// The exit status of the last run; zero before the first.
  var lastStatus: Int32 { state.withLock { $0.lastStatus } }

  /// Runs the command, and waits for its end. A cancellation ends the command.
  func run(_ batch: LineBatch) async {
    if batch.isTruncated && settings.givesLines { notice.report() }
    guard let child = start(batch) else { return }
    let status = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: child.wait()) }
      }
    } onCancel: {
      child.end(grace: settings.grace)
    }
    state.withLock { state in
      state.child = nil
      state.lastStatus = status
    }
  }

  /// Ends the run in progress, and starts no more.
  func end() {
    let child = state.withLock { state in
      state.isEnded = true
      return state.child
    }
    child?.end(grace: settings.grace)
  }

  /// Kills the run in progress.
  func endAtOnce() { state.withLock { $0.child }?.endAtOnce() }

  private func start(_ batch: LineBatch) -> ChildProcess? {
    let dropped = settings.givesLines ? batch.droppedCount : 0
    let variables = [
      Array("COALESCE_LAST=".utf8) + batch.newest.prefix(65_536).prefix { $0 != 0 },
      Array("COALESCE_COUNT=\(batch.count)".utf8),
      Array("COALESCE_DROPPED=\(dropped)".utf8),
    ]
    do throws(SystemError) {
      let input = settings.givesLines ? try BatchFile(batch.lines) : try BatchFile()
      // Under the lock, so that no command starts behind the back of `end()`.
      return try state.withLock { state -> Result<ChildProcess?, SystemError> in
        if state.isEnded { return .success(nil) }
        do throws(SystemError) {
          state.child = try ChildProcess.start(
            lastArguments: settings.command.count, variables: variables, input: input.file)
          return .success(state.child)
        } catch {
          return .failure(error)
        }
      }.get()
    } catch {
      Output.report("cannot run \(settings.command[0]): \(error.reason)")
      let isFound = error.number == EACCES || error.number == ENOEXEC
      state.withLock { $0.lastStatus = isFound ? 126 : 127 }
      return nil
    }
  }
}
