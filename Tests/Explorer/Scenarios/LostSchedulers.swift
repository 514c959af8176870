internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops
internal import SimpleObservables

/// A scheduler is lost while one thread signals, and another thread signals, cancels and signals again.
private func lossOfSignals(_ policy: NamedPolicy) -> Scenario {
  Scenario("loss-signals-\(policy.name)", "C1 C4 S7") {
    let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
    let deliveries = Deliveries()
    let callback = makeCallback(on: scheduler, policy.policy) { deliveries.take() }
    parallel(
      { callback.schedule() },
      {
        callback.schedule()
        callback.cancel()
        callback.schedule()
      },
      { scheduler.lose() })
    settle()
    expect(!callback.isPending, "S7: nothing stays pending once the scheduler is lost")
    let count = deliveries.count
    callback.schedule()
    callback.schedule()
    settle()
    expect(!callback.isPending, "S7: a signal after the loss does not stay pending")
    expect(deliveries.count == count, "S7: nothing is delivered after the loss")
    expect(engine.time.count == 0, "C4: no timer is armed once the scheduler is lost")
  }
}

/// A scheduler is lost while two threads request runs of a loop and wait. One of them cancels its wait.
private func lossOfLoop(_ policy: NamedPolicy) -> Scenario {
  Scenario("loss-settle-\(policy.name)", "L1 L5 S7") {
    let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
    let ends = Counter()
    let loop = Loop(policy.policy, .rerun, on: scheduler) { _, _ in }
    func settleLoop() -> LoopWait {
      let wait = loop.makeWait()
      loop.request()
      loop.begin(wait) { ends.value += 1 }
      return wait
    }
    parallel(
      { _ = settleLoop() },
      { loop.cancel(settleLoop()) },
      { scheduler.lose() })
    settle()
    expect(ends.value == 2, "S7: each wait ends once when the scheduler is lost")
    expect(loop.isSettled && !loop.isRunning, "S7: nothing stays pending once the scheduler is lost")
    loop.request()
    settle()
    expect(loop.isSettled, "S7: a request after the loss does not stay pending")
  }
}

/// A scheduler is lost while a task waits for a loop with elements. The wait ends after the elements are
/// released.
private let lossOfBatch: Scenario = Scenario("loss-batch", "L5 S7") {
  let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
  let alive = Counter()
  let ends = Counter()
  let elements = BatchElements<Parcel>(keeping: .unlimited, for: DiagnosticSubject(HostedLoop.self))
  let runs = LoopRuns(
    on: scheduler, policy: .audit(.milliseconds(10)), DiagnosticSubject(HostedLoop.self), input: elements,
    start: nil)
  // SAFETY: all fibers run on one thread.
  nonisolated(unsafe) let (unsafeRuns, unsafeEnds, unsafeAlive, waits) = (runs, ends, alive, Counter())
  elements.queued.add(LoopElement(Parcel(1, 1, alive)), to: runs)
  parallel(
    {
      unsafeRuns.add(LoopWait(until: .settled)) { _ in
        expectUnlocked()
        let isEmpty = unsafeRuns.withLock { elements.isEmpty }
        expect(isEmpty && !unsafeRuns.isPending, "S7: a wait ends after the loss is recorded")
        // A wait that begins after the loss may end while another thread releases the elements.
        if waits.value > 0 {
          expect(unsafeAlive.value == 0, "S7: discarded elements are released before a wait ends")
        }
        unsafeEnds.value += 1
      }
      if unsafeEnds.value == 0 { waits.value = 1 }
    },
    {
      sleep(until: 10)
      scheduler.lose()
    })
  settle()
  // If the deadline was reached before the loss, the elements wait for a host.
  expect(ends.value == 1 || runs.needsHost, "S7: each wait ends once when the scheduler is lost")
}

/// A scheduler is lost while a task sleeps on its clock and another thread cancels the sleep.
private let lossOfSleep: Scenario = Scenario("loss-sleep", "S2 S7") {
  let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
  let sleeps = [PendingSleep(), PendingSleep()]
  let ends = [Counter(), Counter()]
  func begin(_ number: Int) {
    let end = ends[number]
    sleeps[number].begin(on: scheduler, until: instant(10), tolerance: .zero) { _ in
      expectUnlocked("S2: a task is resumed under no lock")
      end.value += 1
    }
  }
  parallel(
    {
      begin(0)
      begin(1)
    },
    { sleeps[0].cancel() },
    {
      sleep(until: 10)
      scheduler.lose()
    })
  settle()
  expect(ends[0].value == 1 && ends[1].value == 1, "S7: each sleep ends once when the scheduler is lost")
}

/// A scheduler is lost while one thread sends values, and another thread removes the second subscription.
private func lossOfValues(
  _ name: String, by transform: @escaping @Sendable (Observable<Int>, LosingScheduler) -> Observable<Int>
) -> Scenario {
  Scenario("loss-values-\(name)", "V2 V5 S7") {
    let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
    let source = Source()
    let subscribers = (Subscriber(), Subscriber())
    let tokens = [
      transform(source.observable, scheduler).subscribe(onNext: subscribers.0.take),
      transform(source.observable, scheduler).subscribe(onNext: subscribers.1.take),
    ]
    parallel(
      { source.subject.update(1) },
      { tokens[1].remove() },
      { scheduler.lose() })
    settle()
    source.subject.update(2)
    settle()
    expect(source.open == 0, "S7: a subscription ends with the first value after the loss")
    expect(!subscribers.0.values.contains(2), "S7: nothing is delivered after the loss")
    tokens[0].remove()
  }
}

/// An actor is deallocated while one task waits for a loop that delivers on the actor, and another task
/// sleeps on the actor's clock.
private let lossOfActor: Scenario = Scenario("loss-actor", "L5 S7") {
  var actor: QueueActor? = QueueActor()
  let scheduler = ActorScheduler(actor!)
  let ends = Counter()
  let loop = Loop(.debounce(.milliseconds(10)), .rerun, on: scheduler) { _, _ in }
  let sleeping = PendingSleep()
  parallel(
    {
      loop.request()
      loop.whenSettled { ends.value += 1 }
    },
    {
      sleeping.begin(on: scheduler, until: instant(10), tolerance: .zero) { _ in ends.value += 1 }
      loop.request()
    },
    { actor = nil })
  settle()
  expect(ends.value == 2, "S7: each wait ends once when the actor is deallocated")
  expect(loop.isSettled, "S7: nothing stays pending once the actor is deallocated")
  expect(engine.time.count == 0, "C4: no timer is armed when no work is pending")
}

/// The scenarios of schedulers that run no more work.
let lossScenarios: [Scenario] = {
  var all = [lossOfSleep, lossOfActor, lossOfBatch]
  for policy in NamedPolicy.all { all.append(lossOfSignals(policy)) }
  for policy in [NamedPolicy.nextTurn, .timed[0], .timed[2]] { all.append(lossOfLoop(policy)) }
  all.append(lossOfValues("observed") { $0.observe(on: $1) })
  all.append(lossOfValues("coalesced") { $0.coalesced(on: $1, policy: .debounce(.milliseconds(10))) })
  return all
}()
