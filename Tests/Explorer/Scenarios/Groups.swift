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

/// One thread signals an event of a group, another one removes the group, and so does the queue.
let groupRemoval: Scenario = Scenario("group-removal", "E6 E8") {
  let queue = DispatchQueue(label: "queue")
  let events = (makeEvent(on: queue), makeEvent(on: queue))
  let removed = Counter()
  let alive = Counter()
  var group: SimpleEventGroupObserver?
  do {
    let captured = Tracked(alive)
    group = makeGroup(of: events.0, events.1, on: queue) { _, _ in
      expectUnlocked()
      withExtendedLifetime(captured) {}
      expect(removed.value == 0, "E6: after the removal on the delivering thread nothing is delivered")
    }
  }
  parallel(
    { events.0.trigger() },
    { group!.remove() },
    {
      queue.run {
        group!.remove()
        removed.value = 1
      }
    })
  settle()
  expect(alive.value == 0, "E5: a removal releases the captures of the block")
  group = nil
}

/// Two threads signal the two events of a proxy, which is dropped on its queue.
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

/// Two threads remove a proxy, the second of them on the queue that delivers, while its source fires.
let proxyRemoval: Scenario = Scenario("proxy-removal", "E6 E7") {
  let queue = DispatchQueue(label: "queue")
  let events = (makeEvent(on: queue), makeEvent(on: queue))
  let removed = Counter()
  let proxy = makeProxy(of: events.0, events.1, on: queue)
  let token = proxy.observe {
    expectUnlocked()
    expect(removed.value == 0, "E6: after the removal on the delivering thread nothing is delivered")
  }
  parallel(
    { events.0.trigger() },
    { proxy.remove() },
    {
      queue.run {
        proxy.remove()
        removed.value = 1
      }
    })
  settle()
  token.remove()
}

/// A group is removed on its queue, while an event that it observes delivers on another one.
let groupRemovalElsewhere: Scenario = Scenario("group-removal-elsewhere", "E5 E6 E8") {
  let (queue, source) = (DispatchQueue(label: "queue"), DispatchQueue(label: "source"))
  let events = (makeEvent(on: source), makeEvent(on: source))
  let removed = Counter()
  let alive = Counter()
  var group: SimpleEventGroupObserver?
  do {
    let captured = Tracked(alive)
    group = makeGroup(of: events.0, events.1, on: queue) { _, _ in
      expectUnlocked()
      withExtendedLifetime(captured) {}
      expect(removed.value == 0, "E6: after the removal on the delivering thread nothing is delivered")
    }
  }
  parallel(
    { events.0.trigger() },
    {
      queue.run {
        group!.remove()
        removed.value = 1
      }
    })
  settle()
  expect(alive.value == 0, "E5: a removal releases the captures of the block")
  group = nil
}

/// A proxy is removed on its queue, while an event that it observes delivers on another one.
let proxyRemovalElsewhere: Scenario = Scenario("proxy-removal-elsewhere", "E6 E7") {
  let (queue, source) = (DispatchQueue(label: "queue"), DispatchQueue(label: "source"))
  let events = (makeEvent(on: source), makeEvent(on: source))
  let removed = Counter()
  let proxy = makeProxy(of: events.0, events.1, on: queue)
  let token = proxy.observe {
    expectUnlocked()
    expect(removed.value == 0, "E6: after the removal on the delivering thread nothing is delivered")
  }
  parallel(
    { events.0.trigger() },
    {
      queue.run {
        proxy.remove()
        removed.value = 1
      }
    })
  settle()
  token.remove()
}
