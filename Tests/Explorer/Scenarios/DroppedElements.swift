internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// One thread adds more elements than a collector keeps, and another thread cancels.
func collectorDrops(_ kind: QueueKind, _ limit: ElementLimit<Int>, _ name: String) -> Scenario {
  nonisolated(unsafe) let limit = limit
  return Scenario("collector-drops-\(name)-\(kind)", "C7 C9 H5") {
    let fates = Fates()
    let collector = CoalescingCollector(
      on: kind.make(), keeping: limit, onDrop: onDrop(fates), block: { fates.deliver($0) })
    parallel(
      {
        collector.add(10)
        collector.add(contentsOf: [11, 12])
      },
      {
        collector.add(20)
        collector.cancel()
      })
    settle()
    expect(!collector.isPending && collector.count == 0, "C9: nothing stays queued")
    fates.expectAll([10, 11, 12, 20], inOrder: [[10, 11, 12]])
  }
}

/// A collector is deallocated while its queue delivers.
func collectorDropsAtEnd(_ kind: QueueKind) -> Scenario {
  Scenario("collector-drops-end-\(kind)", "C9 E6") {
    let fates = Fates()
    var collector: CoalescingCollector<Int>? = CoalescingCollector(
      on: kind.make(), keeping: .unlimited, onDrop: onDrop(fates), block: { fates.deliver($0) })
    collector?.add(1)
    parallel({
      collector?.add(2)
      collector = nil
    })
    settle()
    fates.expectAll([1, 2], inOrder: [[1, 2]])
  }
}

/// A thread adds elements, and another thread ends a loop whose first run fails and is retried.
private func batchDrops(_ name: String, _ end: @escaping @Sendable (LoopRuns) -> Void) -> Scenario {
  Scenario("batch-drops-\(name)", "C7 C9 L5 L9") {
    let fates = Fates()
    let tasks = DispatchQueue(label: "tasks", attributes: .concurrent)
    let subject = DiagnosticSubject(Fates.self)
    let elements = BatchElements<Int>(keeping: .newest(2), onDrop: onDrop(fates), for: subject)
    var attempts = 0
    let runs = LoopRuns(on: DispatchQueue(label: "queue"), policy: .nextTurn, subject, input: elements) {
      runs, task, _ in
      tasks.run {
        var taken: BatchElements<Int>.Taken?
        guard case .run = runs.begin(task, taking: { taken = elements.take() }) else { return }
        guard let batch = elements.value(of: taken!) else { return _ = runs.end(.succeeded) }
        attempts += 1
        let fails = attempts == 1
        var isKept = false
        runs.end(fails ? .failed(retryAfter: .milliseconds(10)) : .succeeded) {
          isKept = true
          elements.keep(batch)
        }
        // The loop's `onError` receives the batch of a run that is not repeated.
        if !isKept { fates.deliver(batch.batch) }
      }
    }
    elements.queued.add(LoopElement(10), to: runs)
    parallel(
      {
        elements.queued.add(LoopElement(11), to: runs)
        elements.queued.add(LoopElement(12), to: runs)
      },
      { end(runs) })
    settle()
    expect(runs.isSettled, "L5: the loop settles")
    fates.expectAll([10, 11, 12], inOrder: [[10, 11, 12]])
  }
}

let batchDropScenarios: [Scenario] = [
  batchDrops("cancel") { $0.cancel() }, batchDrops("stop") { $0.stop() },
  batchDrops("finish") { $0.close() },
]
