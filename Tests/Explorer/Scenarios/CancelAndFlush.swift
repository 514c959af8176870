internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// One thread signals, and another thread cancels. A signal after both calls is delivered.
func cancels(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("cancel-\(policy.name)-\(queue)", "C2 C4 C7") {
    let event = makeEvent(on: queue.make(), policy.policy)
    let deliveries = Deliveries()
    let data = Datum()
    let token = event.observe { deliveries.take { data.read() } }
    parallel(
      { event.trigger() },
      {
        event.trigger()
        event.cancel()
      })
    settle()
    expect(!event.isPending, "C7: nothing stays pending")
    expect(deliveries.count <= 2, "C7: a cancelled delivery does not come later")
    let count = deliveries.count
    event.cancel()
    data.write()
    event.trigger()
    settle()
    expect(deliveries.count == count + 1, "C7: a signal after a cancellation is delivered")
    expect(data.isSeen, "C2: a delivery sees the writes before its signal")
    token.remove()
  }
}

/// Work on the delivering queue cancels, while another thread signals and cancels.
func cancelsOnQueue(_ policy: NamedPolicy) -> Scenario {
  Scenario("cancel-on-queue-\(policy.name)", "C4 C7 E6") {
    let queue = DispatchQueue(label: "queue")
    let scheduler = CountedQueue(queue)
    let cancelled = Counter()
    let callback = makeCallback(on: scheduler, policy.policy) {
      expectUnlocked()
      expect(cancelled.value == 0, "E6: after a cancellation on the delivering thread nothing is delivered")
    }
    callback.schedule()
    parallel(
      { callback.cancel() },
      {
        queue.run {
          callback.cancel()
          cancelled.value = 1
        }
      })
    drain()
    expect(!callback.isPending, "C7: a cancellation drops the pending delivery")
    expect(scheduler.armed == 0, "C4: a cancellation disarms the timer")
    settle()
  }
}

/// One thread signals, and another thread signals and cancels. No timer is armed without a window.
func timersOf(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("timers-\(policy.name)-\(queue)", "C3 C4") {
    let scheduler = CountedQueue(queue.make())
    let callback = makeCallback(on: scheduler, policy.policy) {}
    parallel(
      { callback.schedule() },
      {
        callback.schedule()
        callback.cancel()
        callback.schedule()
      })
    drain()
    expect(scheduler.armed <= 1, "C4: at most one timer is armed once all calls have returned")
    callback.cancel()
    drain()
    expect(scheduler.armed == 0, "C4: a cancellation disarms the timer")
    expect(!callback.isPending, "C7: a cancellation drops the pending delivery")
    callback.schedule()
    settle()
    expect(!callback.isPending, "C2: nothing stays pending")
    expect(scheduler.mostTurns <= 1, "C3: one turn at a time is asked for")
  }
}

/// Work on the delivering queue flushes, while another thread signals.
func flushes(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("flush-\(policy.name)-\(queue)", "C1 C2 C7") {
    let queue = queue.make()
    let event = makeEvent(on: queue, policy.policy)
    let deliveries = Deliveries()
    let data = (Datum(), Datum())
    let token = event.observe {
      deliveries.take {
        data.0.read()
        data.1.read()
      }
    }
    parallel(
      {
        data.0.write()
        event.trigger()
      },
      {
        data.1.write()
        event.trigger()
        queue.run { event.flush() }
      })
    settle()
    expect(!event.isPending, "C7: a flush leaves nothing pending")
    expect((1...2).contains(deliveries.count), "C7: a flush delivers a pending signal once")
    if policy.isComplete {
      expect(data.0.isSeen && data.1.isSeen, "C2: a signal beside a flush is not lost")
    }
    token.remove()
  }
}

/// One thread signals and releases its reference, while work on the delivering queue releases another
/// reference.
func deallocation(_ policy: NamedPolicy) -> Scenario {
  Scenario("deallocation-\(policy.name)", "E5 E6") {
    let queue = DispatchQueue(label: "queue")
    let dropped = Counter()
    let alive = Counter()
    var isDeallocated = false
    var references: [LazySimpleEvent?] = Array(repeating: makeEvent(on: queue, policy.policy), count: 2)
    var token: (any SimpleEventToken)?
    do {
      let captured = LeakCheckedObject(alive)
      token = references[0]!.observe {
        expectUnlocked()
        withExtendedLifetime(captured) {}
        expect(!isDeallocated, "E6: after the deallocation on the delivering thread nothing is delivered")
      }
    }
    parallel(
      {
        references[0]!.trigger()
        references[0] = nil
        dropped.value = 1
      },
      {
        queue.run {
          let isLast = dropped.value == 1
          references[1] = nil
          isDeallocated = isLast
        }
      })
    settle()
    expect(alive.value == 0, "E5: the deallocation of an event releases the captures of its blocks")
    token?.remove()
    token = nil
  }
}
