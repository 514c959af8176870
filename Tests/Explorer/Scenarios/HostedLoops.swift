internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// Two threads make requests while a host begins.
private func hostComes(_ policy: NamedPolicy) -> Scenario {
  Scenario("host-comes-\(policy.name)", "L1 L2 L7") {
    let data = (Datum(), Datum())
    let loop = HostedLoop(policy.policy)
    var host: HostedLoop.Host?
    parallel(
      {
        data.0.write()
        loop.runs.request()
      },
      {
        data.1.write()
        loop.runs.request()
      },
      {
        host = loop.host {
          data.0.read()
          data.1.read()
        }
      })
    settle()
    expect(host?.hasLeft == false, "L7: a host stays until the loop ends")
    expect(loop.runs.isSettled, "L5: a loop without requests settles")
    if policy.isComplete { expect(data.0.isSeen && data.1.isSeen, "L2: a run starts after each request") }
    loop.runs.stop()
    settle()
    expect(host?.hasLeft == true, "L7: a stop ends the host")
  }
}

/// A host is cancelled while another thread makes a request. The next host makes the run.
private func hostCancelled(_ policy: NamedPolicy) -> Scenario {
  Scenario("host-cancelled-\(policy.name)", "L2 L7") {
    let datum = Datum()
    let loop = HostedLoop(policy.policy)
    let first = loop.host { datum.read() }
    parallel(
      {
        datum.write()
        loop.runs.request()
      },
      { first?.cancel() })
    settle()
    expect(first?.hasLeft == true, "L7: a cancelled host leaves")
    let second = loop.host { datum.read() }
    expect(second != nil, "L7: a host that has left makes room for the next one")
    settle()
    expect(loop.runs.isSettled, "L7: what is pending waits for the next host")
    if policy.isComplete { expect(datum.isSeen, "L2: a run starts after each request") }
    loop.runs.stop()
    settle()
  }
}

/// A loop with a host is finished while another thread makes a request.
private func hostFinished(_ policy: NamedPolicy) -> Scenario {
  Scenario("host-finished-\(policy.name)", "L2 L5 L7") {
    let datum = Datum()
    let ends = Counter()
    let loop = HostedLoop(policy.policy)
    let host = loop.host { datum.read() }
    datum.write()
    loop.runs.request()
    parallel(
      {
        loop.runs.close()
        // SAFETY: all fibers run on one thread.
        nonisolated(unsafe) let (loop, datum) = (loop, datum)
        loop.runs.add(LoopWait(until: .finished)) { _ in
          expectUnlocked()
          expect(!loop.isRunning, "L5: finish waits for the run in progress")
          if policy.isComplete { expect(datum.isSeen, "L5: finish runs what is pending") }
          ends.value += 1
        }
      },
      { loop.runs.request() })
    settle()
    expect(ends.value == 1 && host?.hasLeft == true, "L5: finish ends the loop and its host")
    expect(loop.count <= 2, "L5: what is pending runs once")
    loop.runs.request()
    settle()
    expect(!loop.runs.isPending, "L5: a request after finish is ignored")
  }
}

/// A run fails and waits for its retry. A flush, a cancellation or a finish of another thread ends the wait
/// early.
private func retryCutShort(_ name: String, _ cut: @escaping @Sendable (LoopRuns) -> Void) -> Scenario {
  Scenario("retry-\(name)", "L8 C4") {
    let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
    var attempts = 0
    let runs = LoopRuns(
      on: DispatchQueue(label: "queue"), policy: .nextTurn, whenBusy: .rerun,
      DiagnosticSubject(HostedLoop.self)
    ) { runs, run, _ in
      tasks.run {
        guard case .run = runs.begin(run) else { return }
        attempts += 1
        runs.end(attempts == 1 ? .failed(retryAfter: .milliseconds(10)) : .succeeded)
      }
    }
    runs.request()
    var hadBegun = false
    parallel({
      sleep(until: 10)
      hadBegun = attempts > 0
      cut(runs)
    })
    // Time does not pass here: a timer that was not cancelled would fire, and the next check would not find
    // the timer.
    drain()
    if runs.isSettled {
      expect(engine.time.count == 0, "C4: no timer is armed once the wait is cut short")
    }
    settle()
    expect(runs.isSettled && !runs.isPending, "L8: a retry comes once")
    switch name {
    case "cancel": expect(attempts <= 2, "L8: a retry comes once")
    // A run that begins after the last request is the last run.
    case "finish": expect(attempts == 2 || !hadBegun && attempts == 1, "L5: finish makes one more attempt")
    default: expect(attempts == 2, "L8: a retry comes once")
    }
    expect(engine.time.count == 0, "C4: no timer is armed once the wait is over")
  }
}

/// A loop without a host is flushed, or its request is cancelled, while another thread makes a request. A
/// host makes the run, and a later request finds no window.
private func unhosted(cancels: Bool) -> Scenario {
  Scenario("unhosted-\(cancels ? "cancel" : "flush")", "C7 L2 L7") {
    let policy = CoalescingPolicy.debounce(.milliseconds(10), edges: .leading)
    let loop = HostedLoop(policy)
    loop.runs.request()
    parallel(
      { loop.runs.request() },
      { if cancels { loop.runs.cancel() } else { loop.runs.flush() } })
    let datum = Datum()
    let host = loop.host { datum.read() }
    // Time does not pass here, so that the window stays open.
    drain()
    expect(!loop.runs.isPending, "L7: a host makes the run that is due")
    if !cancels { expect(loop.count >= 1, "C7: a flush drops no request") }
    // The other thread's request may have opened a window after the call.
    loop.runs.request()
    loop.runs.flush()
    drain()
    datum.write()
    loop.runs.cancel()
    loop.runs.request()
    drain()
    expect(datum.isSeen, "C7: a cancellation closes the window, and a host that waits is resumed")
    loop.runs.stop()
    settle()
    expect(host?.hasLeft == true, "L7: a stop ends the host")
  }
}

/// A retry that waits is flushed, and the window is closed.
private let flushInRetry: Scenario = Scenario("flush-in-retry", "C7 L8") {
  let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
  var attempts = 0
  let runs = LoopRuns(
    on: DispatchQueue(label: "queue"), policy: .debounce(.milliseconds(10), edges: .leading),
    whenBusy: .rerun, DiagnosticSubject(HostedLoop.self)
  ) { runs, run, _ in
    tasks.run {
      guard case .run = runs.begin(run) else { return }
      attempts += 1
      runs.end(attempts == 1 ? .failed(retryAfter: .milliseconds(100)) : .succeeded)
    }
  }
  runs.request()
  drain()
  parallel({ runs.flush() }, { _ = runs.isPending })
  // Time does not pass here, so that the window stays open.
  drain()
  expect(attempts == 2, "L8: a flush ends the wait for a retry")
  runs.request()
  drain()
  expect(attempts == 3 || engine.time.now > VirtualTime.start + 10_000_000, "C7: a flush closes the window")
  runs.stop()
}

let hostScenarios: [Scenario] = {
  let policies = NamedPolicy.all.filter { ["nextTurn", "debounce", "throttle", "leading"].contains($0.name) }
  return policies.flatMap { [hostComes($0), hostCancelled($0), hostFinished($0)] } + [
    unhosted(cancels: true), unhosted(cancels: false), flushInRetry,
    retryCutShort("flush") { $0.flush() },
    retryCutShort("cancel") { $0.cancel() },
    retryCutShort("finish") { $0.close() },
  ]
}()
