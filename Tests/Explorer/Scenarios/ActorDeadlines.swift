internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// Work on an actor. Each piece records its number.
private final class ActorWork {
  let actor: QueueActor = QueueActor()
  let scheduler: ActorScheduler
  let alive: Counter = Counter()
  private(set) var order: [Int] = []
  private var isRunning: Bool = false

  init() {
    scheduler = ActorScheduler(actor)
  }

  @discardableResult
  func add(_ number: Int, after milliseconds: Int, _ body: @escaping () -> Void = {}) -> any ScheduledWork {
    let work = make(number, body)
    return scheduler.schedule(at: instant(milliseconds)) {
      expect(self.scheduler.now >= instant(milliseconds), "S1: work never runs early")
      work()
    }
  }

  func add(_ number: Int) {
    scheduler.schedule(make(number) {})
  }

  private func make(_ number: Int, _ body: @escaping () -> Void) -> @Sendable () -> Void {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let (owner, body, tracked) = (self, body, LeakCheckedObject(alive))
    return {
      withExtendedLifetime(tracked) {
        expectUnlocked()
        expect(!owner.isRunning, "S1: one job at a time runs the work of a scheduler")
        owner.isRunning = true
        owner.order.append(number)
        body()
        step()
        owner.isRunning = false
      }
    }
  }
}

// SAFETY: all fibers run on one thread.
extension ActorWork: @unchecked Sendable {}

/// Two threads add work with equal deadlines for an actor, and another thread adds a turn.
private let actorDeadlines: Scenario = Scenario("actor-deadlines", "S1 S5 C3") {
  let work = ActorWork()
  parallel(
    {
      work.add(10, after: 10)
      work.add(11, after: 10)
      work.add(12, after: 10)
    },
    {
      work.add(1, after: 5)
      work.add(20)
    })
  expect(engine.time.count <= 1, "C3: one timer source serves an actor's scheduler")
  settle()
  expect(work.order.count == 5, "S1: all work runs, once")
  expect(
    work.order.filter { (10..<20).contains($0) } == [10, 11, 12],
    "S5: work with equal deadlines runs in the order in which it was scheduled")
  expect(work.alive.value == 0, "S1: work is released after it has run")
  expect(DispatchSource.timerCount == 0, "C3: an actor's scheduler without deadlines has no timer source")
}

/// Work cancels other work of the same instant, while another thread cancels a third piece.
private let actorPeers: Scenario = Scenario("actor-peers", "S1 S2 S5") {
  let work = ActorWork()
  var peer: (any ScheduledWork)?
  var isCancelled = false
  let isSet = Latch()
  work.add(1, after: 10) {
    guard isSet.isOpen else { return }
    isSet.wait()
    isCancelled = !work.order.contains(2)
    peer?.cancel()
  }
  peer = work.add(2, after: 10) {
    expect(!isCancelled, "S2: work that its peer has cancelled does not run")
  }
  isSet.open()
  let third = work.add(3, after: 10)
  parallel(
    { third.cancel() },
    { work.add(4, after: 5) })
  settle()
  expect(work.order.first == 1 || work.order.first == 4, "S1: work runs in the order of its deadlines")
  expect(work.order.contains(1) && work.order.contains(4), "S1: work that is not cancelled runs")
  expect(!isCancelled || !work.order.contains(2), "S2: work that its peer has cancelled does not run")
  expect(work.alive.value == 0, "S2: a cancelled closure is released")
  expect(engine.time.count == 0, "C4: no timer is armed when no work is pending")
}

/// Two threads cancel work, one of them at the deadline of the work.
private let actorCancelled: Scenario = Scenario("actor-deadline-cancelled", "S2 C4") {
  let work = ActorWork()
  let far = work.add(1, after: 1000)
  let near = work.add(2, after: 10)
  var isInTime = true
  parallel(
    {
      sleep(until: 10)
      near.cancel()
    },
    {
      far.cancel()
      isInTime = engine.time.now < instant(1000).nanoseconds
    })
  drain()
  expect(engine.time.count == 0, "C4: no timer is armed when no work is pending")
  expect(!isInTime || !work.order.contains(1), "S2: cancelled work does not run")
  settle()
  expect(work.alive.value == 0, "S2: a cancelled closure is released")
}

/// The scenarios of actors as schedulers.
let actorScenarios: [Scenario] = [actorDeadlines, actorPeers, actorCancelled]
