internal import Dispatch
internal import SimpleEvents

extension TestScheduler {
  /// Creates the error of a run that does not end, from the current state of the scheduler.
  ///
  /// - Parameters:
  ///   - reason: The reason for the error.
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
    case .limitReached(let limit):
      let objects = busiestObjects(of: limit).map(\.subject.nameAndSite)
      let busy =
        objects.isEmpty
        ? [] : ["these objects cause each other's deliveries: \(objects.joined(separator: "; "))"]
      return busy + [
        "a loop that yields or sleeps until a condition holds, but the condition never holds",
        "two pieces of work that always schedule each other",
        "a limit that is too small for the body: pass a larger one",
      ]
    case .nothingPending: break
    }
    let (isSettingAside, hasSetAside) = state.withLock { state in
      (state.run?.setsExternalJobsAside == true, !state.setAside.isEmpty)
    }
    let external =
      """
      the body awaits a job from outside of the scheduler, which this run does not accept: for the main \
      actor use runOnMain; for a Dispatch callback, another global actor, or an actor that other threads \
      use, pass the scheduler to that code, or wait for other threads with run(externalJobs: \
      .awaited(upTo: …))
      """
    var causes: [String] = []
    if let cycle = WaitCycles(objects, waits).description { causes.append(cycle) }
    // The log shows these causes, so they come before a wait for the main actor. That wait is possible in
    // every run that holds the main thread.
    causes += causesWithoutHost(objects) + causesOfNeglect + causesElsewhere(objects, waits)
    causes += causesOfEndlessWindows(objects)
    if isMainBlocked {
      causes.append("the body awaits the main actor, whose thread is inside the run: use runOnMain")
    }
    if hasSetAside { causes.append(external) }
    causes += causesWithoutSignal(objects, waits, ofHosts: false)
    if isSettingAside && !hasSetAside { causes.append(external) }
    causes.append("a sleep on a real clock: sleep on the scheduler's clock")
    // A host usually waits for requests, so its wait is less likely to be the cause.
    causes += causesWithoutSignal(objects, waits, ofHosts: true)
    causes.append("a continuation that is never resumed, or a stream that is never finished")
    if !isSettingAside { causes.append("an answer of another thread that takes longer than the run waits") }
    return causes
  }
}

extension TestScheduler {
  /// The objects that kept the scheduler busy, at most eight.
  ///
  /// Each of these objects requested at least half as many turns and alarms as the busiest object in the
  /// latest advance or run. Together they requested at least one turn or alarm for each hundred entries that
  /// ran. If there are no such objects, other work kept the scheduler busy.
  ///
  /// - Parameter count: The number of entries that ran.
  func busiestObjects(of count: Int) -> [SchedulerLog.Object] {
    let objects = log?.objects ?? []
    let largest = objects.map(\.requestCount).max() ?? 0
    let busiest = objects.filter { $0.requestCount > 0 && 2 * $0.requestCount >= largest }
    let sum = busiest.reduce(0) { $0 + $1.requestCount }
    return sum >= count / 100 ? Array(busiest.prefix(8)) : []
  }

  /// Returns the pending objects and waits, for the list of an error.
  func pending(_ objects: [SchedulerLog.Object], _ waits: [SchedulerLog.Wait]) -> [StuckError.Pending] {
    let runs = objects.filter(\.isRunning).map { object in
      StuckError.Pending(
        .loopRun, object.subject,
        "a run of \(object.subject.nameAndSite) is in progress\(object.runningParts)")
    }
    let deliveries = objects.filter(\.isPending).map { object in
      StuckError.Pending(
        .delivery, object.subject,
        """
        \(object.subject.nameAndSite) is pending on \(name(ofSchedulerOf: object))\
        \(object.needsHost ? ", without a host" : "")\(object.pendingParts)
        """)
    }
    // A task that a run has started may outlive the run.
    let tasks = objects.map { object in
      let run = "a run of \(object.subject.name)"
      return (object.id, object.isRunning ? run : "a task that \(run) has started")
    }
    let names = Dictionary(tasks, uniquingKeysWith: { first, _ in first })
    return runs + deliveries + waits.compactMap { pending($0, of: $0.loop.flatMap { names[$0] } ?? "a task") }
  }

  private func pending(_ wait: SchedulerLog.Wait, of task: String) -> StuckError.Pending? {
    switch wait.awaited {
    case .loop(_, let subject, let call):
      return StuckError.Pending(.wait, subject, "\(task) waits in \(call) of \(subject.nameAndSite)")
    case .notification(let subject):
      return StuckError.Pending(.wait, subject, "\(task) waits for a notification of \(subject.nameAndSite)")
    case .run(let subject):
      return StuckError.Pending(
        .wait, subject, "\(task) waits in run of \(subject.nameAndSite) for the next run")
    case .value(let subject):
      return StuckError.Pending(.wait, subject, "\(task) waits in next() of \(subject.nameAndSite)")
    case .deadline(let scheduler):
      // A sleep on this scheduler is not listed as a wait, because it is an entry of the scheduler.
      guard scheduler as AnyObject !== self else { return nil }
      let subject = (scheduler as? TestScheduler)?.subject ?? DiagnosticSubject(Swift.type(of: scheduler))
      return StuckError.Pending(
        .wait, subject, "\(task) sleeps on the clock of \(name(of: scheduler as AnyObject))")
    case .admission(let subject, let scheduler):
      return StuckError.Pending(
        .wait, subject,
        "\(task) waits in acquire() of \(subject.nameAndSite) on \(name(of: scheduler as AnyObject))")
    }
  }

  /// The loops that never had a host and were released with work pending, as likely causes.
  var causesOfNeglect: [String] {
    (log?.neglected ?? []).map { subject in
      """
      \(subject.nameAndSite) was released with work pending and never had a host: keep it, and call its run \
      in a task
      """
    }
  }

  /// Returns the loops that are pending until a task hosts them, as likely causes.
  func causesWithoutHost(_ objects: [SchedulerLog.Object]) -> [String] {
    objects.filter(\.needsHost).map { object in
      """
      no task hosts \(object.subject.nameAndSite): call its run in a task of the body, and call run again if \
      the call has thrown
      """
    }
  }

  /// Returns the objects that are pending in windows that never end, as likely causes.
  func causesOfEndlessWindows(_ objects: [SchedulerLog.Object]) -> [String] {
    objects.filter { $0.isEndless && !$0.needsHost && !$0.isRunning }.map { object in
      let name = object.subject.nameAndSite
      return
        "\(name) is pending, but its window or retry does not end: flush it, or shorten the interval or wait"
    }
  }

  /// Returns likely causes: the objects for whose signals tasks wait.
  ///
  /// If `ofHosts` is true, the waiting tasks are hosts of loops. Otherwise they are other tasks.
  ///
  /// - Complexity: O(n + m) for n objects and m waits.
  func causesWithoutSignal(
    _ objects: [SchedulerLog.Object], _ waits: [SchedulerLog.Wait], ofHosts: Bool
  ) -> [String] {
    let names = objects.map(\.subject.nameAndSite)
    let pending = Set(zip(objects, names).filter(\.0.isPending).map(\.1))
    let first = Dictionary(zip(names, objects), uniquingKeysWith: { first, _ in first })
    var causes: [String] = []
    var seen: Set<String> = []
    for wait in waits {
      let cause: String
      switch wait.awaited {
      case .notification(let subject) where !ofHosts:
        // The error already lists a pending object.
        if pending.contains(subject.nameAndSite) { continue }
        cause = "nothing triggers \(subject.nameAndSite) any more: cancel the task that iterates over it"
      case .run(let subject) where ofHosts:
        let name = subject.nameAndSite
        let loop = first[name]
        switch (loop?.isPending == true, loop?.isRunning == true) {
        // The error already lists a run in progress, and a pending loop without a run.
        case (false, true), (true, false): continue
        case (true, true) where loop?.scheduler !== self: continue
        case (true, true):
          cause = "\(name) makes as many runs as its limit allows: let one end, or raise maxConcurrentRuns"
        case (false, false):
          cause = "nothing requests \(name) any more: finish it, or cancel its host"
        }
      case .value(let subject) where !ofHosts:
        cause = "no value comes to \(subject.nameAndSite) any more: cancel the task that waits in its next()"
      case .notification, .run, .value, .loop, .deadline, .admission:
        continue
      }
      if seen.insert(cause).inserted { causes.append(cause) }
    }
    return causes
  }

  /// Returns objects that are pending on another scheduler, and limiters that use another scheduler's clock,
  /// as likely causes.
  func causesElsewhere(_ objects: [SchedulerLog.Object], _ waits: [SchedulerLog.Wait]) -> [String] {
    let remedy = "which the run does not drive: pass the test scheduler to this object"
    let pending = objects.filter { $0.isPending && !$0.isEndless && $0.scheduler !== self }.map { object in
      let clock = object.schedulerType is ActorScheduler.Type ? ", or as the clock of .actor(_:clock:)" : ""
      return "\(object.subject.nameAndSite) is pending on \(name(ofSchedulerOf: object)), \(remedy)\(clock)"
    }
    return waits.reduce(into: pending) { causes, wait in
      guard case .admission(let subject, let scheduler) = wait.awaited, scheduler as AnyObject !== self
      else { return }
      let cause = "\(subject.nameAndSite) waits on \(name(of: scheduler as AnyObject)), \(remedy)"
      if !causes.contains(cause) { causes.append(cause) }
    }
  }

  private func name(ofSchedulerOf object: SchedulerLog.Object) -> String {
    object.scheduler.map(name(of:)) ?? "\(object.schedulerType)"
  }

  private func name(of scheduler: AnyObject) -> String {
    if scheduler === self { return "this scheduler" }
    return switch scheduler {
    case let queue as DispatchQueue:
      // The main queue is recognised by its label, because on some systems it is not one object.
      queue.label == DispatchQueue.main.label ? "the main queue" : "the queue \"\(queue.label)\""
    case let other as TestScheduler: "another \(other.subject.nameAndSite)"
    default: "\(Swift.type(of: scheduler))"
    }
  }
}
