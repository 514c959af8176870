internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// The scenarios of keyed loops.
let keyedLoopScenarios: [Scenario] = {
  let policies = NamedPolicy.all.filter { ["nextTurn", "debounce", "throttle", "leading"].contains($0.name) }
  return policies.flatMap { policy in [1, 2].map { keyedLoopRequests(policy, limit: $0) } }
    + policies.map(keyedLoopForgetting) + policies.map(keyedLoopCancel)
    + [keyedLoopEnd(isFinished: true), keyedLoopEnd(isFinished: false), keyedLoopAlarm, keyedLoopKeys]
    + [keyedLoopLoss]
}()

/// Each of two threads requests a key of its own, and a common key.
private func keyedLoopRequests(_ policy: NamedPolicy, limit: Int) -> Scenario {
  Scenario("keyed-loop-requests-\(policy.name)-\(limit)", "K2 K4 L1 L2") {
    let data = (Datum(), Datum())
    let loop = KeyedLoop<Int>(policy.policy, limit: limit) { key in (key == 0 ? data.0 : data.1).read() }
    parallel(
      {
        data.0.write()
        loop.keys.request(0)
        loop.keys.request(1)
      },
      {
        data.1.write()
        loop.keys.request(1)
      })
    settle()
    loop.expectQuiet()
    expect(loop.counts[0] == 1 && (1...2).contains(loop.counts[1] ?? 0), "K4: each key runs")
    if policy.isComplete { expect(data.0.isSeen && data.1.isSeen, "L2: a run starts after each request") }
  }
}

/// A key is requested while its run ends, and while the key is removed: at the end of its window, or by a
/// request of another key.
private func keyedLoopForgetting(_ policy: NamedPolicy) -> Scenario {
  Scenario("keyed-loop-forgetting-\(policy.name)", "K2 K4 L2") {
    let datum = Datum()
    let loop = KeyedLoop<Int>(policy.policy, limit: 2) { key in if key == 0 { datum.read() } }
    loop.keys.request(0)
    let isInTime = engine.time.now < VirtualTime.start + 1_000_000
    let instant = policy.isComplete ? (policy.name == "nextTurn" ? 0 : 10) : 21
    parallel(
      {
        if instant > 0 { sleep(until: instant) }
        datum.write()
        loop.keys.request(0)
      },
      {
        if instant > 0 { sleep(until: instant) }
        loop.keys.request(1)
      })
    settle()
    loop.expectQuiet()
    expect((1...2).contains(loop.counts[0] ?? 0) && loop.counts[1] == 1, "K4: each key runs")
    expect(datum.isSeen || !isInTime, "K2: a key that is requested while it is forgotten is not lost")
  }
}

/// A key in line is cancelled and requested again, while a task may take the key.
private func keyedLoopCancel(_ policy: NamedPolicy) -> Scenario {
  Scenario("keyed-loop-cancel-\(policy.name)", "C7 K2 K4 L2") {
    let datum = Datum()
    let loop = KeyedLoop<Int>(policy.policy, limit: 1) { key in if key == 1 { datum.read() } }
    loop.keys.request(0)
    parallel(
      {
        loop.keys.request(1)
        loop.keys.cancel(1)
        datum.write()
        loop.keys.request(1)
      },
      { loop.keys.flush(0) })
    settle()
    loop.expectQuiet()
    expect(datum.isSeen, "L2: a key that is requested after its cancellation runs")
    expect((1...2).contains(loop.counts[1] ?? 0), "C7: a cancelled run does not come later")
  }
}

/// A loop with a key in line ends while another thread requests keys.
private func keyedLoopEnd(isFinished: Bool) -> Scenario {
  Scenario("keyed-loop-\(isFinished ? "finish" : "stop")", "K5 L5") {
    let data = (Datum(), Datum())
    let loop = KeyedLoop<Int>(.audit(.milliseconds(10)), limit: 1) { key in
      (key == 0 ? data.0 : data.1).read()
    }
    var hasRequested = false
    parallel(
      {
        data.0.write()
        loop.keys.request(0)
        hasRequested = true
      },
      {
        let mustRun = hasRequested
        data.1.write()
        loop.keys.request(1)
        if isFinished { loop.runs.close() } else { loop.stop() }
        loop.whenSettled {
          guard isFinished else { return }
          expect(data.1.isSeen && (data.0.isSeen || !mustRun), "K5: finish runs each key that is pending")
        }
      })
    settle()
    loop.expectQuiet()
    let counts = loop.counts
    loop.keys.request(0)
    settle()
    expect(loop.counts == counts, "K5: a request after an end is ignored")
  }
}

/// A new key is requested while the window of another key ends and the window of a third key is open.
private let keyedLoopAlarm: Scenario = Scenario("keyed-loop-alarm", "K3 L2") {
  let loop = KeyedLoop<Int>(.audit(.milliseconds(10)), limit: 1) { _ in }
  loop.keys.request(0)
  sleep(until: 5)
  loop.keys.request(1)
  parallel({
    sleep(until: 10)
    loop.keys.request(2)
  })
  settle()
  loop.expectQuiet()
  expect(loop.counts == [0: 1, 1: 1, 2: 1], "L2: each key runs at the end of its window")
}

/// Keys are objects. They are released under no lock.
private let keyedLoopKeys: Scenario = Scenario("keyed-loop-keys", "H5 K2") {
  let alive = Counter()
  var loop: KeyedLoop<KeyObject>? = KeyedLoop(.throttle(.milliseconds(10)), limit: 1) { _ in expectUnlocked()
  }
  parallel(
    { loop!.keys.request(KeyObject(1, alive)) },
    {
      loop!.keys.request(KeyObject(1, alive))
      loop!.keys.cancel(KeyObject(1, alive))
    },
    { loop!.keys.flush(KeyObject(1, alive)) })
  settle()
  loop!.expectQuiet()
  loop = nil
  expect(alive.value == 0, "K2: a key that is quiet is released")
}

/// The scheduler is lost while two threads request keys.
private let keyedLoopLoss: Scenario = Scenario("keyed-loop-loss", "K5 S7") {
  let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
  let loop = KeyedLoop<Int>(.throttle(.milliseconds(10)), limit: 1, on: scheduler) { _ in }
  parallel(
    { loop.keys.request(0) },
    {
      loop.keys.request(1)
      loop.keys.request(1)
      scheduler.lose()
    })
  settle()
  expect(loop.runs.keys.pendingCount == 0, "S7: the keys that depend on a lost scheduler are dropped")
}
