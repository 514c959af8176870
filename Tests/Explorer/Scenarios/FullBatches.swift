internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// A window that has no end.
private let endless: CoalescingPolicy = .audit(.seconds(1e12))

/// Two threads fill batches of two elements, while a third thread ends the window by a given call.
private func fullBatch(
  _ name: String, _ kind: QueueKind, _ limit: ElementLimit<Int>,
  _ end: @escaping (CoalescingCollector<Int>, DispatchQueue) -> Void
) -> Scenario {
  nonisolated(unsafe) let (limit, end) = (limit, end)
  return Scenario("full-batch-\(name)-\(kind)", "C1 C2 C7 C9 C12") {
    let queue = kind.make()
    let fates = Fates()
    let deliveries = Deliveries()
    let collector = CoalescingCollector(
      on: queue, policy: endless, keeping: limit, batchSize: 2, onDrop: onDrop(fates),
      block: { batch in
        deliveries.take {
          expect((1...2).contains(batch.count), "C12: no batch has more elements than its size")
          fates.deliver(batch)
        }
      })
    parallel(
      {
        collector.add(10)
        collector.add(11)
      },
      {
        collector.add(20)
        collector.add(21)
      },
      { end(collector, queue) })
    settle()
    expect(collector.count < 2, "C12: a full batch is delivered, whatever the window")
    expect(collector.isPending == (collector.count == 1), "C2: what is queued is pending")
    collector.cancel()
    fates.expectAll([10, 11, 20, 21], inOrder: [[10, 11], [20, 21]])
  }
}

/// A collector delivers all its elements at a flush, while another thread adds an element.
private func fullBatchesFlushed(_ kind: QueueKind) -> Scenario {
  Scenario("full-batches-flushed-\(kind)", "C7 C9 C12") {
    let queue = kind.make()
    let fates = Fates()
    let collector = CoalescingCollector(
      on: queue, policy: endless, keeping: .unlimited, batchSize: 3, onDrop: onDrop(fates),
      block: { fates.deliver($0) })
    collector.add(contentsOf: [1, 2])
    parallel(
      {
        queue.run {
          collector.add(contentsOf: [3, 4])
          collector.flush()
          if kind == .serial {
            expect(fates.delivered.filter { $0 < 5 } == [1, 2, 3, 4], "C7: flush delivers what is queued")
          }
        }
      },
      { collector.add(5) })
    settle()
    collector.cancel()
    fates.expectAll([1, 2, 3, 4, 5], inOrder: [[1, 2, 3, 4]])
  }
}

/// A thread adds elements, and another thread ends a loop between two runs. The batches of the loop have two
/// elements.
private func fullRuns(_ name: String, _ end: @escaping @Sendable (LoopRuns) -> Void) -> Scenario {
  Scenario("full-runs-\(name)", "C7 C9 C12 L5 L9") {
    let fates = Fates()
    let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
    let elements = BatchElements<Int>(
      keeping: .unlimited, batchSize: 2, onDrop: onDrop(fates), for: DiagnosticSubject(Fates.self))
    let runs = LoopRuns(
      on: DispatchQueue(label: "queue"), policy: endless, DiagnosticSubject(Fates.self), input: elements
    ) { runs, task, _ in
      tasks.run {
        var taken: BatchElements<Int>.Taken?
        guard case .run = runs.begin(task, taking: { taken = elements.take() }) else { return }
        guard let batch = elements.value(of: taken!) else { return _ = runs.end(.succeeded) }
        expect(batch.batch.count <= 2, "C12: no batch has more elements than its size")
        fates.deliver(batch.batch)
        runs.end(.succeeded)
      }
    }
    parallel(
      {
        elements.queued.add(contentsOf: [1, 2].map { LoopElement($0) }, to: runs)
        elements.queued.add(LoopElement(3), to: runs)
      },
      { end(runs) })
    settle()
    let count = runs.withLock { elements.count }
    expect(count < 2, "C12: a full batch is in a run, whatever the window")
    expect(runs.isSettled == (count == 0), "C12: no element waits without a run")
    runs.close()
    settle()
    fates.expectAll([1, 2, 3], inOrder: [[1, 2, 3]])
  }
}

let fullBatchScenarios: [Scenario] =
  QueueKind.allCases.flatMap { kind in
    [
      fullBatch("beside-nothing", kind, .unlimited) { _, _ in },
      fullBatch("beside-cancel", kind, .newest(3)) { collector, _ in collector.cancel() },
      fullBatch("beside-flush", kind, .distinct(3)) { collector, queue in queue.run { collector.flush() } },
      fullBatchesFlushed(kind), fullBatchesOfDistinct(kind),
    ]
  } + [
    fullRuns("beside-nothing") { _ in }, fullRuns("beside-cancel") { $0.cancel() },
    fullRuns("beside-stop") { $0.stop() },
    fullRuns("beside-finish") { $0.close() }, fullRuns("beside-flush") { $0.flush() },
  ]

/// Equal elements are added while batches of one element are taken.
private func fullBatchesOfDistinct(_ kind: QueueKind) -> Scenario {
  Scenario("full-batches-distinct-\(kind)", "C9 C12 H5") {
    let alive = Counter()
    var received: [Parcel] = []
    let collector = CoalescingCollector<Parcel>(
      on: kind.make(), policy: endless, keeping: .distinct(4), batchSize: 1,
      block: { batch in
        expect(batch.count == 1, "C12: no batch has more elements than its size")
        received += batch
      })
    parallel(
      {
        collector.add(Parcel(1, 1, alive))
        collector.add(Parcel(2, 2, alive))
        collector.add(Parcel(1, 3, alive))
      },
      { collector.add(Parcel(2, 4, alive)) })
    settle()
    expect(collector.count == 0, "C12: a full batch is delivered, whatever the window")
    let ones = received.filter { $0.key == 1 }.map(\.number)
    expect(ones == [1, 3] || ones == [3], "C9: the newest of equal elements is delivered")
    let twos = received.filter { $0.key == 2 }.map(\.number)
    expect(Set([[2], [4], [2, 4], [4, 2]]).contains(twos), "C9: the newest of equal elements is delivered")
    expect(alive.value == received.count, "C9: replaced elements are released")
  }
}
