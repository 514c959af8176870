internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Work that is scheduled for deadlines on one queue.
private final class Alarms {
  let queue: DispatchQueue
  let alive: Counter = Counter()
  private(set) var order: [Int] = []

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func set(
    _ number: Int, after milliseconds: Int, tolerance: Int = 0, _ body: @escaping () -> Void = {}
  ) -> any ScheduledWork {
    let deadline = EventInstant(nanoseconds: VirtualTime.start + Int64(milliseconds) * 1_000_000)
    let tracked = LeakCheckedObject(alive)
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let (body, tracking) = (body, tracked)
    nonisolated(unsafe) let alarms = self
    return queue.schedule(at: deadline, tolerance: .milliseconds(tolerance)) {
      withExtendedLifetime(tracking) {
        expectUnlocked()
        expect(alarms.queue.now >= deadline, "S1: work never runs early")
        alarms.order.append(number)
        body()
      }
    }
  }
}

/// Work cancels other work of the same instant, while another thread cancels a third piece.
func timerPeers(_ kind: QueueKind) -> Scenario {
  Scenario("timer-peers-\(kind)", "S1 S2") {
    let alarms = Alarms(kind.make())
    var isCancelled = false
    var peer: (any ScheduledWork)?
    let isSet = Latch()
    let first = alarms.set(1, after: 10) {
      let hadRun = alarms.order.contains(2)
      guard isSet.isOpen else { return }
      isSet.wait()
      peer?.cancel()
      isCancelled = !hadRun
    }
    peer = alarms.set(2, after: 10) {
      expect(!isCancelled || kind == .concurrent, "S2: work that its peer has cancelled does not run")
    }
    isSet.open()
    let third = alarms.set(3, after: 10)
    parallel(
      { third.cancel() },
      { _ = alarms.set(4, after: 5) })
    settle()
    expect(alarms.order.contains(1) && alarms.order.contains(4), "S1: work that is not cancelled runs")
    expect(
      kind == .concurrent || alarms.order.filter { $0 < 3 }.first == 1,
      "S1: equal deadlines are kept in the order in which they were scheduled")
    expect(alarms.alive.value == 0, "S2: a cancelled closure is released")
    expect(engine.time.count == 0, "C4: no timer is armed when no work is pending")
    first.cancel()
  }
}

/// One thread cancels work at the instant at which the work is due.
func timerCancel(_ kind: QueueKind) -> Scenario {
  Scenario("timer-cancel-\(kind)", "S2") {
    let alarms = Alarms(kind.make())
    let work = alarms.set(1, after: 10)
    var hadRun = true
    parallel(
      {
        sleep(until: 10)
        work.cancel()
        hadRun = alarms.order == [1]
      },
      { work.cancel() })
    let count = alarms.order.count
    settle()
    expect(hadRun || count == 0, "S2: cancelled work does not run")
    expect(alarms.order.count == count || kind == .concurrent, "S2: cancelled work does not run")
    expect(alarms.alive.value == 0, "S2: a cancelled closure is released")
  }
}

/// Two threads set the first timers of a queue, and cancel one of them.
func timerFirstUse(_ kind: QueueKind) -> Scenario {
  Scenario("timer-first-use-\(kind)", "S1 S2 C3") {
    let alarms = Alarms(kind.make())
    var cancelled: Set<Int> = []
    parallel(
      { _ = alarms.set(1, after: 10) },
      {
        let work = alarms.set(2, after: 5)
        work.cancel()
        cancelled = alarms.order.contains(2) ? [] : [2]
        _ = alarms.set(3, after: 10)
      },
      { alarms.queue.run { expect(alarms.queue.isCurrent, "S1: a queue knows its own work") } })
    expect(engine.time.count <= 1, "C3: one timer source serves a queue")
    settle()
    expect(
      alarms.order.sorted() == [1, 2, 3].filter { !cancelled.contains($0) },
      "S1: work runs once unless it is cancelled")
    expect(alarms.alive.value == 0, "S2: closures are released")
    expect(!alarms.queue.isCurrent, "S1: a queue knows its own work")
  }
}

/// A thread sets timers of different tolerances, in both orders, while another thread sets a third timer.
func timerTolerance(_ kind: QueueKind) -> Scenario {
  Scenario("timer-tolerance-\(kind)", "S1") {
    let alarms = Alarms(kind.make())
    /// Checks that the queue's source fires by a deadline, unless it has already fired.
    func expectSource(by milliseconds: Int) {
      let latest = VirtualTime.start + Int64(milliseconds) * 1_000_000
      expect(
        engine.time.now >= latest || (engine.time.next ?? .max) <= latest,
        "S1: a tolerance does not hold back work that has a smaller one")
    }
    parallel(
      {
        _ = alarms.set(1, after: 10, tolerance: 1000)
        _ = alarms.set(2, after: 20)
        expectSource(by: 20)
      },
      { _ = alarms.set(3, after: 15, tolerance: 500) })
    settle()
    _ = alarms.set(4, after: 3020)
    _ = alarms.set(5, after: 3000, tolerance: 1000)
    expectSource(by: 3020)
    settle()
    _ = alarms.set(6, after: 6000, tolerance: 1000)
    expect(
      engine.time.next == VirtualTime.start + 7_000_000_000,
      "S1: the tolerance of work that has run does not hold for later work")
    settle()
    expect(alarms.order.sorted() == [1, 2, 3, 4, 5, 6], "S1: work runs once")
  }
}

/// Two threads set a timer and cancel it, several times. Each time, no other work is pending.
func timerSources(_ kind: QueueKind) -> Scenario {
  Scenario("timer-sources-\(kind)", "C3 C4 S2") {
    let alarms = Alarms(kind.make())
    func setAndCancel() {
      alarms.set(1, after: 1000).cancel()
      alarms.set(2, after: 1000).cancel()
    }
    let mostSources = Counter()
    func watch() { mostSources.value = max(mostSources.value, DispatchSource.timerCount) }
    for _ in 0..<2 {
      parallel(
        {
          setAndCancel()
          watch()
        },
        {
          setAndCancel()
          watch()
        })
      drain()
      expect(engine.time.count == 0, "C4: no timer is armed when no work is pending")
      expect(DispatchSource.timerCount == 0, "C3: a queue without pending work has no timer source")
    }
    expect(mostSources.value <= 2, "C3: cancelled sources do not accumulate")
    expect(alarms.alive.value == 0, "S2: a cancelled closure is released")
  }
}
