internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A loop with a request is finished while another thread makes a request. The last run sees both requests,
/// or only the first.
private func finishBesideRequest(_ policy: NamedPolicy) -> Scenario {
  Scenario("finish-beside-request-\(policy.name)", "C2 L2 L5") {
    let data = (Datum(), Datum())
    var isRequested = false
    let loop = Loop(policy.policy, .rerun) { _, _ in
      data.0.read()
      data.1.read()
    }
    parallel(
      {
        data.0.write()
        loop.request()
        isRequested = true
      },
      {
        let mustRun = isRequested
        data.1.write()
        loop.request()
        loop.close()
        loop.whenSettled {
          expect(data.1.isSeen, "L5: finish runs a request of its own thread")
          if mustRun { expect(data.0.isSeen, "L5: finish runs a request that came before") }
        }
      })
    // Time does not pass here, so that the window stays open.
    drain()
    expect(loop.isSettled && loop.count >= 1 && loop.count <= 2, "L5: finish ends the loop after a last run")
  }
}

/// A request is cancelled and made again before its task begins. One run follows, in one task.
private func taskOnItsWay(_ policy: NamedPolicy) -> Scenario {
  Scenario("loop-task-on-its-way-\(policy.name)", "C2 C3 L1 L2") {
    let datum = Datum()
    let loop = Loop(policy.policy, .rerun) { _, _ in datum.read() }
    parallel(
      {
        loop.request()
        loop.cancel()
        datum.write()
        loop.request()
      },
      {
        sleep(until: 10)
        loop.request()
      })
    settle()
    expect(loop.isSettled && datum.isSeen, "L2: a run starts after each request")
    expect(loop.count <= 3, "L3: a request gives one run")
  }
}

/// A run of a host is cancelled, and another task replaces the host's task while a thread makes a request.
private func hostReplaced(_ policy: NamedPolicy) -> Scenario {
  Scenario("host-replaced-\(policy.name)", "L2 L4 L7") {
    let datum = Datum()
    let loop = HostedLoop(policy.policy)
    let host = loop.host { datum.read() }
    host?.replacesTask = true
    loop.runs.request()
    parallel(
      {
        datum.write()
        loop.runs.request()
      },
      { loop.runs.cancelRuns() })
    settle()
    expect(host?.hasLeft == false && loop.runs.isSettled, "L7: a cancelled run does not end the host")
    if policy.isComplete { expect(datum.isSeen, "L2: a run starts after each request") }
    loop.runs.stop()
    settle()
    expect(host?.hasLeft == true, "L7: a stop ends the host")
  }
}

/// A run makes a request and cancels its host while the scheduler is lost. After the host has left, the
/// request needs no scheduler, and stays for the next host.
private let hostLost: Scenario = Scenario("host-lost", "L2 L7 S7") {
  let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
  let loop = HostedLoop(.nextTurn, on: scheduler)
  var first: HostedLoop.Host?
  first = loop.host {
    loop.runs.request()
    first?.cancel()
  }
  var isKept = false
  parallel(
    { loop.runs.request() },
    {
      isKept = first?.hasLeft == true && loop.runs.isPending
      scheduler.lose()
    })
  expect(!isKept || loop.runs.isPending, "S7: a request without a host needs no scheduler")
  settle()
  expect(first?.hasLeft == true, "L7: a cancelled host leaves")
  let datum = Datum()
  datum.write()
  loop.runs.request()
  let next = loop.host { datum.read() }
  settle()
  expect(
    next != nil && datum.isSeen && loop.runs.isSettled, "L2: a request without a host needs no scheduler")
  loop.runs.stop()
  settle()
}

/// A request without a host is cancelled while a host begins and waits. The host is resumed for the next
/// request.
private let hostWaits: Scenario = Scenario("host-waits", "C7 L2 L7") {
  let datum = Datum()
  let loop = HostedLoop(.nextTurn)
  var host: HostedLoop.Host?
  parallel(
    {
      loop.runs.request()
      loop.runs.cancel()
    },
    { host = loop.host { datum.read() } })
  drain()
  datum.write()
  loop.runs.request()
  drain()
  expect(datum.isSeen, "L2: a host that waits is resumed")
  loop.runs.stop()
  settle()
  expect(host?.hasLeft == true, "L7: a stop ends the host")
}

let taskScenarios: [Scenario] = {
  let policies = NamedPolicy.all.filter { ["nextTurn", "debounce", "throttle", "leading"].contains($0.name) }
  return [hostLost, hostWaits] + policies.map(hostReplaced)
    + policies.filter(\.isComplete).flatMap { [finishBesideRequest($0), taskOnItsWay($0)] }
}()
