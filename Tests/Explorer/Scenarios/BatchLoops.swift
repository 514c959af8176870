internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// The runs of a batch loop. Their tasks are turns of a concurrent queue.
private final class Batches<Element: Sendable> {
  let runs: LoopRuns
  private let elements: BatchElements<Element>
  private(set) var saved: [Element] = []
  private(set) var dropped: Int = 0
  private(set) var attempts: Int = 0
  private var isRunning: Bool = false
  private let failures: Int
  private let tasks: DispatchQueue = DispatchQueue(label: "tasks", attributes: .concurrent)

  /// - Parameter failures: The number of runs that fail and are retried.
  init(_ limit: ElementLimit<Element>, _ policy: CoalescingPolicy = .nextTurn, failing failures: Int) {
    self.failures = failures
    let subject = DiagnosticSubject(Self.self)
    elements = BatchElements(keeping: limit, for: subject)
    var batches: (() -> Batches?) = { nil }
    runs = LoopRuns(
      on: DispatchQueue(label: "queue"), policy: policy, subject, input: elements
    ) { _, task, _ in
      expectUnlocked()
      batches()?.tasks.run { batches()?.run(task) }
    }
    batches = { [unowned self] in self }
  }

  func add(_ element: Element) { elements.queued.add(LoopElement(element), to: runs) }

  var hasElements: Bool { runs.withLock { !elements.isEmpty } }

  private func run(_ task: LoopTask) {
    var taken: BatchElements<Element>.Taken?
    guard case .run = runs.begin(task, taking: { taken = elements.take() }) else { return }
    expect(!isRunning, "L1: runs never overlap")
    isRunning = true
    guard let batch = elements.value(of: taken!) else {
      isRunning = false
      runs.end(.succeeded)
      return
    }
    taken = nil
    expect(!batch.batch.isEmpty, "L9: a batch has an element")
    attempts += 1
    let fails = attempts <= failures
    step()
    if !fails {
      saved += batch.batch
      dropped += batch.batch.droppedCount
    }
    isRunning = false
    runs.end(fails ? .failed(retryAfter: .milliseconds(10)) : .succeeded) { elements.keep(batch) }
  }
}

/// Two threads add elements while the first run fails.
private func batchFails(_ policy: NamedPolicy, _ name: String, _ limit: ElementLimit<Int>) -> Scenario {
  nonisolated(unsafe) let limit = limit
  return Scenario("batch-fails-\(name)-\(policy.name)", "L1 L8 L9") {
    let batches = Batches(limit, policy.policy, failing: 1)
    parallel(
      {
        batches.add(10)
        batches.add(11)
      },
      { batches.add(20) })
    settle()
    expect(batches.runs.isSettled && !batches.hasElements, "L9: no element waits without a run")
    expect(batches.saved.count + batches.dropped == 3, "L9: each element is saved, or counted as dropped")
    let own = batches.saved.filter { $0 < 20 }
    expect(own == own.sorted(), "L9: a batch that comes back is before newer elements")
  }
}

/// A thread adds elements while a run fails and another thread finishes the loop.
private func batchFinishes(_ policy: NamedPolicy) -> Scenario {
  Scenario("batch-finishes-\(policy.name)", "L5 L9") {
    let alive = Counter()
    let batches = Batches<Parcel>(.newest(4), policy.policy, failing: 1)
    let ends = Counter()
    batches.add(Parcel(1, 1, alive))
    parallel(
      { batches.add(Parcel(2, 2, alive)) },
      {
        batches.runs.close()
        batches.runs.add(LoopWait(until: .finished)) { _ in ends.value += 1 }
      })
    settle()
    expect(ends.value == 1 && batches.runs.isSettled, "L5: finish ends the loop")
    // A run that begins after the last addition is the last run, and is not retried.
    expect(
      batches.attempts == 1 && batches.saved.isEmpty || batches.saved.first?.number == 1,
      "L5: finish saves the elements that wait, also of a run that fails meanwhile")
    expect(!batches.hasElements, "L9: a loop that has ended keeps no element")
    expect(alive.value == batches.saved.count, "L9: a loop that has ended releases its elements")
    batches.add(Parcel(3, 3, alive))
    settle()
    expect(alive.value == batches.saved.count, "L5: an element that is added after the end is released")
  }
}

/// A thread adds an element while another thread finishes an idle loop.
private let batchFinishesIdle: Scenario = Scenario("batch-finishes-idle", "L5 L9") {
  let alive = Counter()
  let batches = Batches<Parcel>(.newest(4), failing: 0)
  parallel(
    { batches.add(Parcel(1, 1, alive)) },
    { batches.runs.close() })
  // `isPending` is read first, because a pending run may begin and end in between.
  let isBusy = batches.runs.isPending || batches.runs.isRunning
  expect(isBusy || !batches.hasElements, "L9: no element waits without a run")
  settle()
  expect(!batches.hasElements, "L9: a loop that has ended keeps no element")
  expect(alive.value == batches.saved.count, "L9: a loop that has ended releases its elements")
}

/// A thread adds elements while another thread cancels or stops the loop during a run that fails.
private func batchEnds(_ name: String, _ end: @escaping @Sendable (LoopRuns) -> Void) -> Scenario {
  Scenario("batch-\(name)", "C7 L5 L9") {
    let alive = Counter()
    let batches = Batches<Parcel>(.newest(4), failing: 1)
    batches.add(Parcel(1, 1, alive))
    parallel(
      { batches.add(Parcel(2, 2, alive)) },
      { end(batches.runs) })
    settle()
    expect(batches.runs.isSettled && !batches.hasElements, "L9: no element waits without a run")
    expect(batches.saved.map(\.number) == batches.saved.map(\.number).sorted(), "L9: in order")
    expect(alive.value == batches.saved.count, "L9: discarded elements are released")
    let count = batches.saved.count
    batches.add(Parcel(3, 3, alive))
    settle()
    if name == "cancel" {
      expect(
        batches.saved.last?.number == 3 && batches.saved.count == count + 1,
        "C7: an element after a cancellation is saved, and no discarded one with it")
    } else {
      expect(batches.saved.count == count && alive.value == count, "L5: nothing runs after a stop")
    }
  }
}

/// A host is cancelled while another thread adds an element. The next host makes the run.
private func batchHostCancelled(_ policy: NamedPolicy) -> Scenario {
  Scenario("batch-host-\(policy.name)", "L7 L9") {
    let elements = BatchElements<Int>(keeping: .newest(4), for: DiagnosticSubject(HostedLoop.self))
    let runs = LoopRuns(
      on: DispatchQueue(label: "queue"), policy: policy.policy, DiagnosticSubject(HostedLoop.self),
      input: elements, start: nil)
    let loop = HostedLoop(runs)
    var saved: [Int] = []
    func host() -> HostedLoop.Host? {
      var taken: BatchElements<Int>.Taken?
      var batch: LoopBatch<Int>?
      return loop.host {
        taken = elements.take()
      } _: {
        batch = elements.value(of: taken!)
      } _: { isCancelled in
        if !isCancelled, let batch { saved += batch.batch }
        let keepsWork = isCancelled && batch != nil
        var result: RunResult = keepsWork ? .cancelled : .succeeded
        result.keepsWork = keepsWork
        return runs.end(result) {
          batch.map(elements.keep)
        }
      }
    }
    let first = host()
    elements.queued.add(LoopElement(1), to: runs)
    parallel({ elements.queued.add(LoopElement(2), to: runs) }, { first?.cancel() })
    settle()
    expect(first?.hasLeft == true, "L7: a cancelled host leaves")
    expect(host() != nil, "L7: a host that has left makes room for the next one")
    settle()
    expect(saved == [1, 2], "L9: the batch of a cancelled host comes back before newer elements")
    runs.stop()
    settle()
  }
}

/// Equal elements, and elements that are combined, are added while a run fails.
private let batchMerges: [Scenario] = [
  Scenario("batch-distinct", "L9 H5") {
    let alive = Counter()
    let batches = Batches<Parcel>(.distinct(4), failing: 1)
    batches.add(Parcel(1, 1, alive))
    parallel(
      { batches.add(Parcel(1, 2, alive)) },
      { batches.add(Parcel(2, 3, alive)) })
    settle()
    let ones = batches.saved.filter { $0.key == 1 }.map(\.number)
    expect(ones.last == 2 && ones == ones.sorted(), "L9: the newer one of equal elements wins")
    expect(batches.saved.contains { $0.key == 2 }, "L9: each element is saved")
    expect(alive.value == batches.saved.count, "L9: replaced elements are released")
  },
  Scenario("batch-combined", "L9 H5") {
    let limit = ElementLimit<Int>.combined { old, new in
      expectUnlocked()
      return old + new
    }
    let batches = Batches<Int>(limit, failing: 1)
    parallel(
      {
        batches.add(1)
        batches.add(2)
      },
      { batches.add(4) })
    settle()
    expect(batches.saved.reduce(0, +) == 7, "L9: each element is part of one batch that succeeds")
  },
]

let batchScenarios: [Scenario] = {
  let policies = NamedPolicy.all.filter { ["nextTurn", "debounce", "throttle"].contains($0.name) }
  return policies.flatMap {
    [
      batchFails($0, "newest", .newest(2)), batchFails($0, "unlimited", .unlimited), batchFinishes($0),
      batchHostCancelled($0),
    ]
  } + batchMerges + [batchFinishesIdle, batchEnds("cancel") { $0.cancel() }, batchEnds("stop") { $0.stop() }]
}()
