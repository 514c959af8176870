internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A sleep of a task on a queue's clock. It records its end in place of the task.
private final class Sleeper {
  let scheduler: CountedQueue
  let alive: Counter = Counter()
  private let sleep: PendingSleep = PendingSleep()
  private(set) var ends: [CancellableWait.End] = []

  init(_ kind: QueueKind) {
    scheduler = CountedQueue(kind.make())
  }

  func begin(after milliseconds: Int) {
    let deadline = EventInstant(nanoseconds: VirtualTime.start + Int64(milliseconds) * 1_000_000)
    let tracked = LeakCheckedObject(alive)
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let (sleeper, tracking) = (self, tracked)
    sleep.begin(on: scheduler, until: deadline, tolerance: .zero) { end in
      withExtendedLifetime(tracking) {
        expectUnlocked("S2: a task is resumed under no lock")
        expect(end == .cancelled || sleeper.scheduler.now >= deadline, "S1: a sleep never ends early")
        sleeper.ends.append(end)
      }
    }
  }

  func cancel() {
    sleep.cancel()
  }

  func expectOver() {
    expect(ends.count == 1, "S2: a sleep ends once")
    expect(scheduler.armed == 0, "S2: a sleep that is over has no entry")
    expect(alive.value == 0, "S2: a sleep that is over releases its task")
  }
}

/// A task begins to sleep while two threads cancel it.
func sleepCancelledEarly(_ kind: QueueKind) -> Scenario {
  Scenario("sleep-cancelled-early-\(kind)", "S2") {
    let sleeper = Sleeper(kind)
    parallel(
      { sleeper.begin(after: 10) },
      { sleeper.cancel() },
      { sleeper.cancel() })
    sleeper.expectOver()
    settle()
    sleeper.expectOver()
  }
}

/// A thread cancels a sleep at the instant at which it ends.
func sleepCancelledAtDeadline(_ kind: QueueKind) -> Scenario {
  Scenario("sleep-cancelled-at-deadline-\(kind)", "S1 S2") {
    let sleeper = Sleeper(kind)
    parallel(
      { sleeper.begin(after: 10) },
      {
        ExplorerEngine.sleep(until: 10)
        sleeper.cancel()
      })
    settle()
    sleeper.expectOver()
  }
}

/// The deadline has passed when the task begins to sleep, so the sleep may end before the task knows its
/// entry.
func sleepInThePast(_ kind: QueueKind) -> Scenario {
  Scenario("sleep-in-the-past-\(kind)", "S1 S2") {
    let sleeper = Sleeper(kind)
    parallel(
      { sleeper.begin(after: 0) },
      {
        step()
        sleeper.cancel()
      })
    settle()
    sleeper.expectOver()
  }
}
