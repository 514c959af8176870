internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Two threads add more elements than a collector keeps.
private func collects(_ limit: ElementLimit<Int>, _ name: String, _ kind: QueueKind) -> Scenario {
  nonisolated(unsafe) let limit = limit
  return Scenario("collector-\(name)-\(kind)", "C1 C2 C9") {
    let deliveries = Deliveries()
    var received: [Int] = []
    var dropped = 0
    let collector = makeCollector(on: kind.make(), .nextTurn, keeping: limit) { batch in
      deliveries.take {
        expect((1...2).contains(batch.count), "C9: a batch has at most as many elements as the limit")
        received += batch
        dropped += batch.droppedCount
      }
    }
    parallel(
      {
        collector.add(10)
        collector.add(11)
      },
      {
        collector.add(20)
        collector.add(21)
      })
    settle()
    expect(!collector.isPending, "C2: nothing stays pending")
    expect(received.count + dropped == 4, "C9: each element is delivered once or counted as dropped")
    expect(Set(received).count == received.count, "C9: each element is delivered once")
    let parts = (received.filter { $0 < 20 }, received.filter { $0 >= 20 })
    expect(parts.0 == parts.0.sorted() && parts.1 == parts.1.sorted(), "C9: elements are delivered in order")
  }
}

func collectsNewest(_ kind: QueueKind) -> Scenario { collects(.newest(2), "newest", kind) }

func collectsOldest(_ kind: QueueKind) -> Scenario { collects(.oldest(2), "oldest", kind) }

/// Two threads add equal elements.
func collectsDistinct(_ kind: QueueKind) -> Scenario {
  Scenario("collector-distinct-\(kind)", "C9 H5") {
    let alive = Counter()
    var received: [Parcel] = []
    var dropped = 0
    let collector = makeCollector(on: kind.make(), .nextTurn, keeping: .distinct(4)) {
      (batch: ElementBatch<Parcel>) in
      expectUnlocked()
      let keys = batch.map(\.key)
      expect(Set(keys).count == keys.count, "C9: a batch has one of equal elements")
      received += batch
      dropped += batch.droppedCount
    }
    parallel(
      {
        collector.add(Parcel(1, 1, alive))
        collector.add(Parcel(2, 1, alive))
      },
      { collector.add(Parcel(1, 2, alive)) })
    settle()
    expect(dropped == 0, "C9: a replaced element is not counted as dropped")
    expect(received.contains { $0.key == 2 }, "C9: each element is delivered once")
    expect(
      [1, 2].contains(received.filter { $0.key == 1 }.count), "C9: the newest of equal elements is delivered")
    expect(alive.value == received.count, "C9: replaced elements are released")
  }
}

/// One thread adds elements, another thread cancels, and the queue flushes or releases the collector.
func collectorEnds(_ kind: QueueKind) -> Scenario {
  Scenario("collector-cancel-\(kind)", "C1 C7 C9 H5") {
    let queue = kind.make()
    let alive = Counter()
    let deliveries = Deliveries()
    var received: [Int] = []
    let collector = makeCollector(on: queue, .nextTurn, keeping: .newest(2)) {
      (batch: ElementBatch<Parcel>) in
      deliveries.take { received += batch.map(\.number) }
    }
    parallel(
      { collector.add(Parcel(1, 1, alive)) },
      {
        collector.add(Parcel(2, 2, alive))
        collector.cancel()
      },
      { queue.run { collector.flush() } })
    settle()
    expect(received.filter { $0 == 2 }.count <= 1, "C9: an element is delivered at most once")
    collector.add(Parcel(3, 3, alive))
    settle()
    expect(received.last == 3, "C7: an element after a cancellation is delivered")
    expect(!collector.isPending && alive.value == 0, "C9: delivered and discarded elements are released")
  }
}

/// Two threads add elements under a leading-only policy. The policy ignores elements that are added after the
/// start of a delivery.
func collectsLeading(_ kind: QueueKind) -> Scenario {
  Scenario("collector-leading-\(kind)", "C1 C2 C5 C9") {
    let deliveries = Deliveries()
    var batches: [[Int]] = []
    var dropped = 0
    let collector = makeCollector(
      on: kind.make(), .throttle(.milliseconds(10), edges: .leading), keeping: .newest(8)
    ) { batch in
      deliveries.take {
        batches.append(Array(batch))
        dropped += batch.droppedCount
      }
    }
    parallel(
      {
        collector.add(1)
        collector.add(2)
      },
      { collector.add(3) })
    settle()
    expect(!collector.isPending, "C2: nothing stays pending")
    expect(batches.count >= 1, "C9: an element that opens a window is delivered")
    sleepUntilQuiet()
    collector.add(4)
    settle()
    let received = batches.flatMap { $0 }
    expect(batches.last == [4], "C9: an ignored element is part of no later batch")
    expect(Set(received).count == received.count, "C9: each element is delivered once")
    expect(received.count + dropped == 4, "C9: each element is delivered once or counted as dropped")
  }
}

/// Two threads add elements that are combined, while a delivery takes the combined element.
func collectsCombined(_ kind: QueueKind) -> Scenario {
  Scenario("collector-combined-\(kind)", "C1 C2 C9 H5") {
    let deliveries = Deliveries()
    var sum = 0
    let limit = ElementLimit<Int>.combined { old, new in
      expectUnlocked()
      step()
      return old + new
    }
    let collector = makeCollector(on: kind.make(), .nextTurn, keeping: limit) { batch in
      deliveries.take {
        expect(batch.count == 1, "C9: combined elements are one")
        expect(batch.droppedCount == 0, "C9: a combined element is not counted as dropped")
        sum += batch.first ?? 0
      }
    }
    parallel(
      {
        collector.add(1)
        collector.add(2)
      },
      { collector.add(4) })
    settle()
    expect(!collector.isPending, "C2: nothing stays pending")
    expect(sum == 7, "C9: each element is part of one batch")
  }
}

/// Waits until the window of the scenario's policy has ended.
private func sleepUntilQuiet() {
  parallel({ sleep(until: 50) })
}
