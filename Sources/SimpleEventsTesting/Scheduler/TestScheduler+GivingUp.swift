internal import SimpleEvents

extension TestScheduler {
  /// Creates the error of a run that does not end, from the current state of the scheduler.
  ///
  /// - Parameters:
  ///   - site: The call that began the run.
  ///   - isMainBlocked: Whether the run holds the thread of the main actor.
  func stuck(_ reason: StuckError.Reason, at site: CallSite, isMainBlocked: Bool) -> StuckError {
    let objects = log?.objects ?? []
    let waits = log?.waits ?? []
    let causes = likelyCauses(of: reason, isMainBlocked, objects, waits)
    let pending = reason == .nested ? [] : pending(objects, waits)
    let shown = 16
    return state.withLock { state in
      let jobs = min(state.jobs.count, shown)
      let entries =
        repeatElement(StuckError.Entry(deadline: state.now, isJob: true), count: jobs)
        + state.queue.sorted.prefix(shown - jobs).map {
          StuckError.Entry(deadline: $0.deadline, isJob: false)
        }
      return StuckError(
        run: site, reason: reason, instant: state.now, waiting: Array(entries),
        waitingCount: state.queue.count + state.jobs.count, pending: pending, likelyCauses: causes)
    }
  }

  private func likelyCauses(
    of reason: StuckError.Reason, _ isMainBlocked: Bool, _ objects: [SchedulerLog.Object],
    _ waits: [SchedulerLog.Wait]
  ) -> [String] {
    switch reason {
    case .nested: return ["a run inside a run: await the inner body in the outer one"]
    case .limitReached:
      let objects = busiestObjects.map(\.subject.nameAndSite)
      let busy =
        objects.isEmpty ? [] : ["deliveries that cause each other, of \(objects.joined(separator: "; "))"]
      return busy + [
        "a loop that yields or sleeps until a condition holds, which never does",
        "two pieces of work that always schedule each other",
        "a limit that is too small for the body: pass a larger one",
      ]
    case .nothingPending: break
    }
    let isSettingAside = state.withLock { $0.run?.setsExternalJobsAside == true }
    var causes: [String] = []
    if let cycle = WaitCycles(objects, waits).description { causes.append(cycle) }
    // These causes are known. The next one is possible in every run that holds the main thread.
    causes += causesWithoutHost(objects) + causesOfNeglect + causesElsewhere(objects, waits)
    if isMainBlocked {
      causes.append("the body awaits the main actor, whose thread is inside the run: use runOnMain")
    }
    if isSettingAside {
      causes.append(
        """
        the body awaits a job from outside of the scheduler, which this run does not accept: for the main \
        actor use runOnMain; for a Dispatch callback, another global actor, or an actor that other threads \
        use, pass the scheduler to that code, or wait for other threads with run(externalJobs: \
        .awaited(upTo: …))
        """)
    }
    causes += causesWithoutSignal(waits, ofHosts: false)
    causes.append("a sleep on a real clock: sleep on the scheduler's clock")
    // A host usually waits for requests, so its wait is less likely to be the cause.
    causes += causesWithoutSignal(waits, ofHosts: true)
    causes.append("a continuation that is never resumed, or a stream that is never finished")
    if !isSettingAside { causes.append("an answer of another thread that takes longer than the run waits") }
    return causes
  }
}
