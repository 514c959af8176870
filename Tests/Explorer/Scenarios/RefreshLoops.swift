internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// Two threads write and make requests. One of them makes a further request after a pause.
private func loopRequests(_ policy: NamedPolicy, _ whenBusy: RefreshLoop.WhenBusy) -> Scenario {
  Scenario("loop-requests-\(whenBusy)-\(policy.name)", "L1 L2 L3") {
    let data = (Datum(), Datum())
    let loop = Loop(policy.policy, whenBusy) { _, _ in
      data.0.read()
      data.1.read()
    }
    parallel(
      {
        data.0.write()
        loop.request()
        sleep(until: 12)
        data.0.write()
        loop.request()
      },
      {
        data.1.write()
        loop.request()
      })
    settle()
    expect(loop.isSettled && !loop.isRunning, "L5: a loop without requests settles")
    expect((1...3).contains(loop.count), "L3: a request gives one run")
    loop.expectLastRunGoesOn()
    if policy.isComplete && whenBusy != .ignore {
      expect(data.0.isSeen && data.1.isSeen, "L2: a run starts after each request")
    }
  }
}

/// Requests are made during the first two runs.
private func loopBusy(_ whenBusy: RefreshLoop.WhenBusy) -> Scenario {
  Scenario("loop-busy-\(whenBusy)", "L1 L2 L3 L5") {
    let began = (Latch(), Latch())
    let datum = Datum()
    let loop = Loop(.nextTurn, whenBusy) { loop, run in
      if loop.count <= 2 {
        (loop.count == 1 ? began.0 : began.1).open()
        // Only its own cancellation ends the run.
        if whenBusy == .restart { run.cancelled.wait() }
      }
      datum.read()
    }
    parallel(
      { loop.request() },
      {
        began.0.wait()
        datum.write()
        loop.request()
        if whenBusy != .ignore { began.1.wait() }
        datum.write()
        loop.request()
      })
    settle()
    expect(loop.isSettled, "L5: a loop without requests settles")
    expect(loop.count <= 3, "L3: a request during a run gives exactly one more")
    loop.expectLastRunGoesOn()
    expect(whenBusy == .ignore || loop.count == 3 && datum.isSeen, "L2: a run starts after each request")
  }
}

/// Three runs follow one another before the thread that has made the second run stores the task of that run.
///
/// The third run ends when it is cancelled.
private let loopOvertaken: Scenario = Scenario("loop-overtaken", "L3") {
  let began = [Latch(), Latch(), Latch()]
  let isDelivered = Latch()
  let queue = DispatchQueue(label: "queue")
  let loop = Loop(.nextTurn, .restart, on: queue) { loop, run in
    if loop.count <= 3 { began[loop.count - 1].open() }
    switch loop.count {
    case 1, 3: run.cancelled.wait()
    case 2: isDelivered.wait()
    default: break
    }
  }
  loop.request()
  parallel({
    began[0].wait()
    loop.request()
    began[1].wait()
    loop.request()
    queue.run { isDelivered.open() }
    began[2].wait()
    loop.request()
  })
  settle()
  expect(loop.isSettled && loop.count == 4, "L3: a request cancels the run in progress")
  loop.expectLastRunGoesOn()
}

/// Two threads make requests and wait for their runs.
private func loopSettles(_ policy: NamedPolicy) -> Scenario {
  Scenario("loop-settles-\(policy.name)", "L2 L5") {
    let data = (Datum(), Datum())
    let ends = Counter()
    let loop = Loop(policy.policy, .rerun) { _, _ in
      data.0.read()
      data.1.read()
    }
    parallel(
      {
        data.0.write()
        loop.request()
        loop.whenSettled {
          expect(
            !policy.isComplete || data.0.isSeen, "L5: a request before a wait has been run when the wait ends"
          )
          ends.value += 1
        }
      },
      {
        data.1.write()
        loop.request()
        loop.whenSettled {
          expect(
            !policy.isComplete || data.1.isSeen, "L5: a request before a wait has been run when the wait ends"
          )
          ends.value += 1
        }
      })
    settle()
    expect(ends.value == 2, "L5: a wait ends once")
  }
}

/// A wait is cancelled while the run for which it waits ends.
private let loopWaitCancelled: Scenario = Scenario("loop-wait-cancelled", "L5") {
  let ends = Counter()
  let loop = Loop(.nextTurn, .rerun) { _, _ in }
  loop.request()
  parallel(
    {
      let wait = loop.makeWait()
      loop.begin(wait) { ends.value += 1 }
      loop.cancel(wait)
    },
    { loop.whenSettled { ends.value += 1 } })
  settle()
  expect(ends.value == 2, "L5: a wait ends once")
}

/// A wait begins while another thread cancels it.
private let loopWaitCancelledEarly: Scenario = Scenario("loop-wait-cancelled-early", "L5") {
  let (ends, otherEnds) = (Counter(), Counter())
  let goesOn = Latch()
  let loop = Loop(.nextTurn, .rerun) { _, _ in goesOn.wait() }
  loop.request()
  loop.whenSettled { otherEnds.value += 1 }
  let wait = loop.makeWait()
  parallel(
    { loop.begin(wait) { ends.value += 1 } },
    { loop.cancel(wait) })
  expect(ends.value == 1 && otherEnds.value == 0, "L5: a cancelled wait ends immediately, and no other one")
  goesOn.open()
  settle()
  expect(ends.value == 1 && otherEnds.value == 1, "L5: a wait ends once")
}

/// A thread passes objects to a loop that retains them, while another thread ends the loop.
private let loopRetainedObjects: Scenario = Scenario("loop-retained-objects", "L5 E5") {
  let alive = Counter()
  let queue = DispatchQueue(label: "queue")
  let event = makeEvent(on: queue)
  let loop = RefreshLoop(on: queue) {}
  parallel(
    {
      loop.keep(LeakCheckedObject(alive))
      loop.observe(event)
    },
    {
      loop.keep(LeakCheckedObject(alive))
      loop.stopWithoutWait()
    })
  expect(alive.value == 0, "L5: a stopped loop keeps nothing")
  expect(event.debugDescription.contains("block") == false, "L5: a stopped loop observes nothing")
}

/// One thread stops the loop while another thread makes a request and waits.
private func loopStops(_ policy: NamedPolicy, _ whenBusy: RefreshLoop.WhenBusy) -> Scenario {
  Scenario("loop-stops-\(whenBusy)-\(policy.name)", "L1 L5") {
    let ends = Counter()
    let loop = Loop(policy.policy, whenBusy) { loop, _ in
      if loop.count == 1 { loop.request() }
    }
    parallel(
      {
        loop.request()
        loop.request()
        loop.whenSettled { ends.value += 1 }
      },
      {
        loop.stop {
          expect(!loop.isRunning, "L5: stop waits for the run in progress")
          ends.value += 1
        }
      })
    settle()
    expect(ends.value == 2, "L5: stop ends all waits")
    loop.request()
    settle()
    expect(loop.isSettled && !loop.isRunning, "L5: a request after a stop is ignored")
  }
}

let loopScenarios: [Scenario] = {
  let modes: [RefreshLoop.WhenBusy] = [.rerun, .restart, .ignore]
  let policies = NamedPolicy.all.filter { ["nextTurn", "debounce", "throttle", "leading"].contains($0.name) }
  var all =
    [loopWaitCancelled, loopWaitCancelledEarly, loopRetainedObjects, loopOvertaken] + modes.map(loopBusy)
  for policy in policies {
    all += [loopSettles(policy)]
    for mode in modes { all += [loopRequests(policy, mode), loopStops(policy, mode)] }
  }
  return all
}()
