internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A serial queue is busy until the deadlines of a delivery and of work that is due later have passed.
private func oneHop(_ name: String, _ policy: CoalescingPolicy) -> Scenario {
  Scenario("one-hop-\(name)", "C1 C2 C10") {
    let queue = DispatchQueue(label: "queue")
    let deliveries = Deliveries()
    var order: [String] = []
    let callback = makeCallback(on: queue, policy) { deliveries.take { order.append("delivery") } }
    let note = { order.append("work") }
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let work = note
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: UInt64(instant(15).nanoseconds))) { work() }
    _ = queue.schedule(at: instant(15)) { work() }
    var isInTime = true
    func signal() {
      callback.schedule()
      // Time may have passed inside the call. In that case the delivery is due after the work.
      if engine.time.now > instant(3).nanoseconds { isInTime = false }
    }
    parallel(
      { signal() },
      { signal() },
      { queue.run { sleep(until: 20) } })
    settle()
    expect(!callback.isPending, "C2: nothing stays pending")
    expect(
      !isInTime || order == ["delivery", "work", "work"],
      "C10: a delivery at a deadline comes before work that is due later")
  }
}

/// On a concurrent queue, work at a deadline waits for other work that is due at the same time or later.
private func waitingDeadline(_ name: String, later: Int) -> Scenario {
  Scenario("waiting-deadline-\(name)", "S1 C10") {
    let queue = QueueKind.concurrent.make()
    let latch = Latch()
    let count = Counter()
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let opened = latch
    _ = queue.schedule(at: instant(10)) {
      expectUnlocked()
      opened.wait()
      count.value += 1
    }
    func add() {
      _ = queue.schedule(at: instant(10 + later)) {
        expectUnlocked()
        opened.open()
        count.value += 1
      }
    }
    parallel({ add() }, { add() })
    settle()
    expect(
      latch.isOpen && count.value == 3, "C10: long work at a deadline holds up no other work that is due")
    expect(DispatchSource.timerCount == 0, "C3: a queue without pending work has no timer source")
  }
}

/// On a concurrent queue, a delivery at a deadline waits for a delivery of another object that is due at the
/// same time or later.
private func waitingDelivery(_ name: String, later: Int) -> Scenario {
  Scenario("waiting-delivery-\(name)", "C2 C10") {
    let queue = QueueKind.concurrent.make()
    let latch = Latch()
    let waiting = makeCallback(on: queue, .debounce(.milliseconds(10))) { latch.wait() }
    let opening = makeCallback(on: queue, .audit(.milliseconds(10 + later))) { latch.open() }
    parallel(
      { waiting.schedule() },
      { opening.schedule() })
    settle()
    expect(latch.isOpen, "C10: a long delivery at a deadline holds up no other one")
    expect(!waiting.isPending && !opening.isPending, "C2: nothing stays pending")
  }
}

/// The scenarios of deliveries at deadlines.
let deadlineScenarios: [Scenario] = [
  oneHop("debounce", .debounce(.milliseconds(10))),
  oneHop("audit", .audit(.milliseconds(10))),
  oneHop("throttle", .throttle(.milliseconds(10), edges: .trailing)),
  waitingDeadline("equal", later: 0), waitingDeadline("later", later: 2),
  waitingDelivery("equal", later: 0), waitingDelivery("later", later: 2),
]
