internal import SimpleEvents
internal import SimpleEventsLoops

/// Runs a command by a policy.
final class CommandRunner: Job {
  private let settings: FilterSettings
  private let turns: Worker
  private let input: LineInput
  private let notices: LossNotices
  private let runs: CommandRuns
  private let loop: RefreshLoop
  /// Applies the policy. At the end of the input, this callback is flushed.
  private let deliveries: CoalescingCallback

  init(_ settings: FilterSettings, on workers: Workers) {
    let input = LineInput(
      keeping: settings.keeping, delimiter: settings.delimiter, limit: settings.limit,
      settle: settings.settle, on: workers.turns)
    let notices = LossNotices(settings)
    let runs = CommandRuns(settings, notices, on: workers)
    let limiter = settings.rate?.limiter(on: workers.turns)
    let loop = RefreshLoop(on: workers.turns, whenBusy: settings.whenBusy.loopMode, label: "command") {
      if input.isIdle { return }
      try? await limiter?.acquire()
      await runs.endRemains()
      // After a cancellation, the lines are left for the next run.
      guard !Task.isCancelled, let batch = input.take() else { return }
      await runs.run(batch)
      input.didEndRun()
    }
    self.settings = settings
    turns = workers.turns
    self.input = input
    self.notices = notices
    self.runs = runs
    self.loop = loop
    deliveries = CoalescingCallback(on: workers.turns, policy: settings.policy, label: "lines") {
      @Sendable in loop.request()
    }
  }

  func run() -> Int32 {
    if settings.startsNow {
      input.demandRun()
      loop.request()
    }
    var failure: SystemError?
    do {
      try input.readLines { deliveries.schedule() }
    } catch {
      failure = error
    }
    turns.perform { [deliveries] in deliveries.flush() }
    turns.perform { [loop] in await loop.settle() }
    // The report says that no delivery was due. After a signal this would be false: the signal is the reason
    // why the pending lines are dropped.
    if !runs.hasEnded { notices.finish(undelivered: input.take()?.count ?? 0) }
    return failure.map(Output.reportInputFailure) ?? runs.lastStatus
  }

  func end() {
    runs.startNoMore()
    deliveries.cancel()
    runs.end()
    turns.perform { [loop] in await loop.stop(cancelling: true) }
    runs.waitForEnd()
    notices.finish(undelivered: 0)
  }

  var endLimit: Duration { settings.endLimit }

  func abandon() { runs.kill() }

  func suspend(_ stop: () -> Void) { runs.suspend(stop) }

  var lines: LineCounts? {
    LineCounts(
      accepted: input.lineCount, dropped: notices.droppedCount, settled: input.settledCount,
      isSettling: settings.settle != nil)
  }
}
