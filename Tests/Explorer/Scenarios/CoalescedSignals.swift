internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two threads write and signal. One of them signals twice, and again after a pause.
func signals(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("signals-\(policy.name)-\(queue)", "C1 C2 C4 E4") {
    let event = makeEvent(on: queue.make(), policy.policy)
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
        data.0.write()
        event.trigger()
      },
      {
        data.1.write()
        event.trigger()
        sleep(until: 12)
        data.1.write()
        event.trigger()
      })
    settle()
    expect(!event.isPending, "C2: nothing stays pending")
    expect((1...4).contains(deliveries.count), "C2: each signal is delivered at most once")
    if policy.isComplete {
      expect(
        data.0.isSeen && data.1.isSeen, "C2: deliveries see the writes before each signal")
    }
    token.remove()
  }
}

/// A delivery signals, and so does another thread during the delivery.
func signalsDuringDelivery(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("signals-inside-\(policy.name)-\(queue)", "C1 C2") {
    let event = makeEvent(on: queue.make(), policy.policy)
    let deliveries = Deliveries()
    let data = (Datum(), Datum())
    let token = event.observe {
      deliveries.take {
        data.0.read()
        data.1.read()
        if deliveries.count == 1 {
          data.0.write()
          event.trigger()
        }
      }
    }
    event.trigger()
    parallel(
      {
        data.1.write()
        event.trigger()
      }, { _ = event.isPending })
    settle()
    expect(!event.isPending, "C2: nothing stays pending")
    if policy.isComplete {
      expect((2...3).contains(deliveries.count), "C1: a signal during a delivery gives exactly one more")
      expect(data.0.isSeen && data.1.isSeen, "C2: a signal during a delivery is not lost")
    }
    token.remove()
  }
}

/// One thread writes a variable that is not atomic and signals, while another thread reads `isPending`.
func visibility(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("visibility-\(policy.name)-\(queue)", "E4") {
    let event = makeEvent(on: queue.make(), policy.policy)
    let calls = Counter()
    let shared = Shared(0, "E4: writes before a trigger are visible to the delivery it causes")
    let token = event.observe {
      expect(shared.value == 1, "E4: a delivery sees the write before its trigger")
      calls.value += 1
    }
    parallel(
      {
        shared.value = 1
        event.trigger()
      },
      { _ = event.isPending })
    settle()
    expect(calls.value == 1, "C2: a signal is delivered once")
    token.remove()
  }
}
