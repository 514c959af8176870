internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two events share a queue, and two threads signal them.
func sharedQueue(_ queue: QueueKind) -> Scenario {
  Scenario("shared-queue-\(queue)", "C1 C2 C3") {
    let queue = queue.make()
    let events = (makeEvent(on: queue), makeEvent(on: queue))
    let deliveries = (Deliveries(), Deliveries())
    let mostQueued = Counter()
    let tokens = (
      events.0.observe {
        mostQueued.value = max(mostQueued.value, queue.depth)
        deliveries.0.take()
      },
      events.1.observe {
        mostQueued.value = max(mostQueued.value, queue.depth)
        deliveries.1.take()
      }
    )
    parallel(
      {
        events.0.trigger()
        events.1.trigger()
      },
      { events.0.trigger() })
    settle()
    expect(!events.0.isPending && !events.1.isPending, "C2: nothing stays pending")
    expect((1...2).contains(deliveries.0.count), "C2: a signal of the first event is delivered")
    expect(deliveries.1.count == 1, "C2: a signal of the second event is delivered once")
    expect(mostQueued.value <= 3, "C3: a queue holds no more turns than there are events")
    tokens.0.remove()
    tokens.1.remove()
  }
}

/// On a concurrent queue, a callback waits for another callback that was signalled together with it.
let waitingCallback: Scenario = Scenario("waiting-callback", "C2") {
  let queue = QueueKind.concurrent.make()
  let latch = Latch()
  let waiting = makeCallback(on: queue) { latch.wait() }
  let opening = makeCallback(on: queue) { latch.open() }
  waiting.schedule()
  parallel(
    { opening.schedule() },
    { waiting.schedule() })
  settle()
  expect(latch.isOpen, "C2: a callback that waits for another one does not hold up the turn of that one")
}

/// An event is deallocated while its turn is queued together with the turn of another event.
func deallocationInLane(_ kind: QueueKind) -> Scenario {
  Scenario("queue-turns-deallocation-\(kind)", "C2 E6") {
    let queue = kind.make()
    let deliveries = Deliveries()
    let released = Counter()
    let kept = makeCallback(on: queue) { deliveries.take() }
    var dropped: CoalescingCallback? = makeCallback(on: queue) {
      // On a concurrent queue, another worker may be inside the delivery.
      expect(
        released.value == 0 || kind == .concurrent,
        "E6: nothing is delivered once the deallocation has returned")
    }
    parallel(
      {
        dropped?.schedule()
        queue.run {
          dropped = nil
          released.value = 1
        }
      },
      { kept.schedule() })
    settle()
    expect(deliveries.count == 1, "C2: a signal is delivered once")
  }
}
