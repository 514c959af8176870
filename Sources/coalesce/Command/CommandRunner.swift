internal import CPlatform
internal import Dispatch
internal import SimpleEvents

/// Runs a command by a policy.
final class CommandRunner: Job {
  private let queue: DispatchQueue = DispatchQueue(label: "coalesce")
  private let input: LineInput
  private let runs: CommandRuns
  private let loop: RefreshLoop
  /// Has the policy, so that the end of the input can flush it.
  private let deliveries: CoalescingCallback

  init(_ settings: FilterSettings) {
    let input = LineInput(
      keeping: settings.keeping, delimiter: settings.delimiter, limit: settings.limit)
    let runs = CommandRuns(settings)
    let whenBusy: RefreshLoop.WhenBusy =
      switch settings.whenBusy {
      case .rerun: .rerun
      case .restart: .restart
      case .ignore: .ignore
      }
    let loop = RefreshLoop(on: queue, whenBusy: whenBusy) {
      if let batch = input.take() { await runs.run(batch) }
    }
    self.input = input
    self.runs = runs
    self.loop = loop
    deliveries = CoalescingCallback(on: queue, policy: settings.policy) { @Sendable in loop.request() }
  }

  func run() -> Int32 {
    var failure: SystemError?
    do {
      try input.readLines { deliveries.schedule() }
    } catch {
      failure = error
    }
    queue.sync { deliveries.flush() }
    waitFor { [loop] in await loop.settle() }
    return failure.map(Jobs.inputFailure) ?? runs.lastStatus
  }

  func end() {
    deliveries.cancel()
    runs.end()
    waitFor { [loop] in await loop.stop() }
  }

  func abandon() { runs.endAtOnce() }

  private func waitFor(_ work: @escaping @Sendable () async -> Void) {
    let isOver = DispatchSemaphore(value: 0)
    Task {
      await work()
      isOver.signal()
    }
    isOver.wait()
  }
}
