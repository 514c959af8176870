internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// The scenarios of keyed callbacks and collectors.
let keyedScenarios: [Scenario] =
  QueueKind.allCases.flatMap { queue in
    NamedPolicy.all.map { keyedSignals($0, queue) } + [keyedFlush(queue), keyedElements(queue)]
  } + NamedPolicy.all.map(keyedCancel) + NamedPolicy.all.map(keyedDrops) + forgettingScenarios + [
    keyedOwner, keyedKeys, keyedLoss,
  ]

/// The deliveries of the keys of one callback, and the data that the deliveries read.
private final class Keys {
  let scheduler: CountedQueue
  private(set) var callback: KeyedCallback<Int>?
  let data: [Datum]
  private(set) var counts: [Int]
  private let deliveries: Deliveries = Deliveries()

  init(
    _ policy: CoalescingPolicy, on queue: DispatchQueue, count: Int = 2,
    _ block: @escaping (Int) -> Void = { _ in }
  ) {
    scheduler = CountedQueue(queue)
    data = (0..<count).map { _ in Datum() }
    counts = Array(repeating: 0, count: count)
    callback = makeKeyedCallback(on: scheduler, policy) { [unowned self] key in
      deliveries.take {
        data[key].read()
        counts[key] += 1
        block(key)
      }
    }
  }

  /// Writes the data of a key, and signals it.
  func signal(_ key: Int) {
    data[key].write()
    callback!.schedule(key)
  }

  func release() { callback = nil }

  /// Checks the state after all deliveries.
  func expectQuiet() {
    expect(callback!.pendingCount == 0, "C2: nothing stays pending")
    expect(callback!.keys.entryCount == 0, "K2: a key that is quiet has no entry")
    expect(scheduler.armed == 0, "K3: no timer stays armed")
    expect(scheduler.mostTurns <= 1, "K3: one turn at a time is asked for")
  }
}

/// Each of two threads signals a key of its own, and a common key.
private func keyedSignals(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("keyed-signals-\(policy.name)-\(queue)", "C1 C2 K1 K2 K3") {
    let keys = Keys(policy.policy, on: queue.make())
    parallel(
      {
        keys.signal(0)
        keys.callback!.schedule(1)
      },
      { keys.signal(1) })
    settle()
    keys.expectQuiet()
    expect(keys.counts.allSatisfy { (1...2).contains($0) }, "K1: each key is delivered")
    if policy.isComplete {
      expect(keys.data.allSatisfy(\.isSeen), "C2: a delivery sees the writes before its signal")
    }
  }
}

/// A key is signalled while its window ends, and while another signal or the alarm removes the key.
///
/// The alarm that removes keys fires at the end of a window, or an interval later if nothing is delivered at
/// the end.
private let forgettingScenarios: [Scenario] =
  (NamedPolicy.timed + [
    NamedPolicy(
      name: "leadingThrottle", policy: .throttle(.milliseconds(10), edges: .leading), isComplete: false)
  ]).map { policy in
    Scenario("keyed-forgetting-\(policy.name)", "C2 K1 K2") {
      let keys = Keys(policy.policy, on: DispatchQueue(label: "queue"))
      keys.callback!.schedule(0)
      let isInTime = engine.time.now < VirtualTime.start + 1_000_000
      let instant = policy.isComplete ? 11 : 21
      parallel(
        {
          sleep(until: instant)
          keys.signal(0)
        },
        {
          sleep(until: instant)
          keys.callback!.schedule(1)
        })
      settle()
      keys.expectQuiet()
      expect((1...2).contains(keys.counts[0]) && keys.counts[1] == 1, "K1: each key is delivered")
      // A key that is signalled after the end of its window opens another window. Time may have passed inside
      // the first call.
      expect(
        keys.data[0].isSeen || !isInTime, "K2: a key that is signalled while it is forgotten is not lost")
    }
  }

/// Work on the delivering queue cancels a key, while another key is due before it.
private func keyedCancel(_ policy: NamedPolicy) -> Scenario {
  Scenario("keyed-cancel-\(policy.name)", "C7 E6 K1") {
    let queue = DispatchQueue(label: "queue")
    var keys: Keys?
    var isCancelled = false
    keys = Keys(policy.policy, on: queue) { key in
      expect(key == 0 || !isCancelled, "E6: a key that another key has cancelled is not delivered")
      if key == 0 {
        keys!.callback!.cancel(1)
        isCancelled = true
      }
    }
    parallel(
      {
        // The calls are made on the queue, so that no delivery comes between the signals.
        queue.run {
          keys!.callback!.schedule(0)
          keys!.callback!.schedule(1)
        }
      },
      {
        _ = keys!.callback!.isPending(1)
        keys!.callback!.cancel(1)
      })
    settle()
    keys!.expectQuiet()
    expect(keys!.counts[0] == 1 && keys!.counts[1] <= 1, "C7: a cancelled delivery does not come later")
    keys = nil
  }
}

/// Work on the queue flushes a key, while another thread signals the key and the other key is due.
private func keyedFlush(_ queue: QueueKind) -> Scenario {
  Scenario("keyed-flush-\(queue)", "C1 C2 C7 K1") {
    let queue = queue.make()
    let keys = Keys(.audit(.milliseconds(10)), on: queue)
    keys.callback!.schedule(1)
    parallel(
      { keys.signal(0) },
      { queue.run { keys.callback!.flushAll() } },
      { queue.run { keys.callback!.flush(1) } })
    settle()
    keys.expectQuiet()
    expect(keys.counts == [1, 1], "C7: a flush delivers a pending key once")
    expect(keys.data[0].isSeen, "C2: a signal beside a flush is not lost")
  }
}

/// A block releases its owner, while another thread signals a key.
private let keyedOwner: Scenario = Scenario("keyed-owner", "E6 K1") {
  let queue = DispatchQueue(label: "queue")
  var keys: Keys?
  var isReleased = false
  keys = Keys(.nextTurn, on: queue) { _ in
    expect(!isReleased, "E6: a block that releases the owner is the last one that is called")
    keys!.release()
    isReleased = true
  }
  // The calls are made on the queue, so that the block releases the last reference.
  parallel({ queue.run { for key in 0..<2 { keys!.callback!.schedule(key) } } }, { step() })
  settle()
  expect(isReleased, "C2: a delivery has come")
  keys = nil
}

/// Keys are objects. They are released under no lock.
private let keyedKeys: Scenario = Scenario("keyed-keys", "H5 K2") {
  let queue = DispatchQueue(label: "queue")
  let alive = Counter()
  let callback = makeKeyedCallback(on: queue, .throttle(.milliseconds(10))) { (_: KeyObject) in
    expectUnlocked()
  }
  parallel(
    { callback.schedule(KeyObject(1, alive)) },
    {
      callback.schedule(KeyObject(1, alive))
      callback.cancel(KeyObject(1, alive))
    },
    { queue.run { callback.flush(KeyObject(1, alive)) } })
  settle()
  expect(callback.pendingCount == 0 && callback.keys.entryCount == 0, "K2: a key that is quiet has no entry")
  expect(alive.value == 0, "K2: a key that is quiet is released")
}

/// Two threads add equal elements for one key, while the key is delivered and removed.
private func keyedElements(_ queue: QueueKind) -> Scenario {
  Scenario("keyed-elements-\(queue)", "C1 C9 K1 K2") {
    let deliveries = Deliveries()
    var delivered: [Int] = []
    let collector = makeKeyedCollector(on: queue.make(), .nextTurn, keeping: .distinct(4)) {
      (_: Int, batch: ElementBatch<Int>) in
      deliveries.take {
        expect(Set(batch).count == batch.count, "C9: the elements of a batch are distinct")
        delivered += batch
      }
    }
    parallel(
      {
        collector.add(1, for: 0)
        collector.add(2, for: 0)
      },
      { collector.add(1, for: 0) })
    settle()
    expect(delivered.filter { $0 == 2 }.count == 1, "C9: an element is delivered once")
    expect((1...2).contains(delivered.filter { $0 == 1 }.count), "C9: one of equal elements is delivered")
    expect(collector.pendingCount == 0 && collector.entryCount == 0, "K2: a key that is quiet has no entry")
  }
}

/// Two threads add elements for one key, more than the collector keeps. Most additions join the pending
/// delivery.
private func keyedDrops(_ policy: NamedPolicy) -> Scenario {
  Scenario("keyed-drops-\(policy.name)", "C1 C2 C9 K1 K2") {
    let fates = Fates()
    let deliveries = Deliveries()
    let drop = onDrop(fates)
    let collector = makeKeyedCollector(
      on: DispatchQueue(label: "queue"), policy.policy, keeping: .newest(2), onDrop: { drop($1) }
    ) { (_: Int, batch: ElementBatch<Int>) in
      deliveries.take { fates.deliver(batch) }
    }
    parallel(
      { for element in 1...3 { collector.add(element, for: 0) } },
      { collector.add(10, for: 0) })
    settle()
    expect(collector.pendingCount == 0 && collector.entryCount == 0, "K2: a key that is quiet has no entry")
    fates.expectAll([1, 2, 3, 10], inOrder: [[1, 2, 3]])
  }
}

/// The scheduler is lost while two threads signal keys.
private let keyedLoss: Scenario = Scenario("keyed-loss", "C2 K2 S7") {
  let scheduler = LosingScheduler(DispatchQueue(label: "queue"))
  let callback = makeKeyedCallback(on: scheduler, .throttle(.milliseconds(10))) { (_: Int) in }
  parallel(
    { callback.schedule(0) },
    {
      callback.schedule(1)
      scheduler.lose()
    })
  settle()
  expect(callback.pendingCount == 0, "S7: the keys that depend on a lost scheduler are dropped")
}
