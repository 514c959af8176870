internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two threads signal the two events of a group.
func groupSignals(_ kind: QueueKind) -> Scenario {
  Scenario("group-signals-\(kind)", "C1 C2 E8") {
    let queue = kind.make()
    let events = (makeEvent(on: queue), makeEvent(on: queue))
    let deliveries = Deliveries()
    var firstCount = 0
    var total = 0
    let group = makeGroup(of: events.0, events.1, on: queue) { count, hasFirst in
      deliveries.take()
      expect((1...2).contains(count), "E8: a delivery has events that fired, each once")
      total += count
      firstCount += hasFirst ? 1 : 0
    }
    parallel(
      { events.0.trigger() },
      { events.1.trigger() })
    settle()
    expect(total == 2 && firstCount == 1, "E8: each firing is delivered once")
    group.remove()
  }
}

/// An observer of events, given by the calls that a scenario makes.
private struct Observation {
  let remove: () -> Void
  /// Releases the captures that are left after a removal.
  var end: () -> Void = {}
}

/// One thread signals an event, while the delivering queue removes the event's observer.
///
/// If the event delivers on the same queue, another thread removes the observer as well.
private func removal(
  _ name: String, _ contracts: String, fromOtherQueue: Bool,
  of observe:
    @escaping @Sendable (LazySimpleEvent, LazySimpleEvent, DispatchQueue, @escaping () -> Void) -> Observation
) -> Scenario {
  Scenario(name, contracts) {
    let queue = DispatchQueue(label: "queue")
    let source = fromOtherQueue ? DispatchQueue(label: "source") : queue
    let events = (makeEvent(on: source), makeEvent(on: source))
    let removed = Counter()
    let alive = Counter()
    var observation: Observation?
    do {
      let captured = LeakCheckedObject(alive)
      observation = observe(events.0, events.1, queue) {
        expectUnlocked()
        withExtendedLifetime(captured) {}
        expect(removed.value == 0, "E6: after the removal on the delivering thread nothing is delivered")
      }
    }
    parallel(
      { events.0.trigger() },
      { if !fromOtherQueue { observation!.remove() } },
      {
        queue.run {
          observation!.remove()
          removed.value = 1
        }
      })
    settle()
    observation!.end()
    expect(alive.value == 0, "E5: a removal releases the captures of the block")
    observation = nil
  }
}

private func observeByGroup(
  _ first: LazySimpleEvent, _ second: LazySimpleEvent, _ queue: DispatchQueue, _ block: @escaping () -> Void
) -> Observation {
  let group = makeGroup(of: first, second, on: queue) { _, _ in block() }
  return Observation(remove: { group.remove() })
}

private func observeByProxy(
  _ first: LazySimpleEvent, _ second: LazySimpleEvent, _ queue: DispatchQueue, _ block: @escaping () -> Void
) -> Observation {
  let proxy = makeProxy(of: first, second, on: queue)
  let token = proxy.observe(block)
  return Observation(remove: { proxy.remove() }, end: { token.remove() })
}

let removalScenarios: [Scenario] = [
  removal("group-removal", "E5 E6 E8", fromOtherQueue: false, of: observeByGroup),
  removal("group-removal-elsewhere", "E5 E6 E8", fromOtherQueue: true, of: observeByGroup),
  removal("proxy-removal", "E5 E6 E7", fromOtherQueue: false, of: observeByProxy),
  removal("proxy-removal-elsewhere", "E5 E6 E7", fromOtherQueue: true, of: observeByProxy),
]

/// Two threads signal the two events of a proxy. The proxy is released on its queue.
let proxySignals: Scenario = Scenario("proxy-signals", "C2 E6 E7") {
  let queue = DispatchQueue(label: "queue")
  let events = (makeEvent(on: queue), makeEvent(on: queue))
  let deliveries = Deliveries()
  var proxy: SimpleEventProxy? = makeProxy(of: events.0, events.1, on: queue)
  let token = proxy!.observe { deliveries.take() }
  parallel(
    { events.0.trigger() },
    { events.1.trigger() })
  settle()
  expect((1...2).contains(deliveries.count), "E7: a proxy fires for its sources")
  events.0.trigger()
  let count = queue.sync {
    proxy = nil
    return deliveries.count
  }
  settle()
  expect(
    deliveries.count == count, "E6: after the deallocation on the delivering thread nothing is delivered")
  token.remove()
}
