internal import SimpleEvents

extension TestScheduler {
  /// Describes the scheduler as it is now, for a run that is given up.
  ///
  /// - Parameters:
  ///   - site: The call that began the run.
  ///   - isMainBlocked: Whether the run holds the thread of the main actor.
  func stuck(_ reason: Stuck.Reason, at site: CallSite, isMainBlocked: Bool) -> Stuck {
    let shown = 16
    return state.withLock { state in
      let jobs = min(state.jobs.count, shown)
      let entries =
        repeatElement(Stuck.Entry(deadline: state.now, isJob: true), count: jobs)
        + state.queue.deadlines(atMost: shown - jobs).map { Stuck.Entry(deadline: $0, isJob: false) }
      return Stuck(
        run: site, reason: reason, instant: state.now, waiting: Array(entries),
        waitingCount: state.queue.count + state.jobs.count,
        likelyCauses: Self.likelyCauses(of: reason, outside: state.run?.isForbidden == true, isMainBlocked))
    }
  }

  private static func likelyCauses(of reason: Stuck.Reason, outside isForbidden: Bool, _ isMainBlocked: Bool)
    -> [String]
  {
    switch reason {
    case .nested: return ["a run inside a run: await the inner body in the outer one"]
    case .limitReached:
      return [
        "a loop that yields or sleeps until a condition holds, which never does",
        "two pieces of work that always schedule each other",
        "a limit that is too small for the body: pass a larger one",
      ]
    case .nothingPending: break
    }
    var causes: [String] = []
    if isMainBlocked {
      causes.append("the body awaits the main actor, whose thread is inside the run: use runOnMain")
    } else if isForbidden {
      causes.append("the body awaits the main actor: use runOnMain, or run(outside: .awaited(…))")
    }
    causes += [
      "a continuation that is never resumed, or a stream that is never finished",
      "a sleep on a real clock: sleep on the scheduler's clock",
    ]
    causes.append(
      isForbidden
        ? """
        a Dispatch callback, another global actor, or an actor that other threads use: pass the scheduler to that code, \
        or wait for other threads with run(outside: .awaited(…))
        """ : "an answer of another thread that takes longer than the run waits")
    return causes
  }
}
