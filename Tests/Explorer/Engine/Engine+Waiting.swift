extension Engine {
  // MARK: Waiting

  /// Blocks the calling fiber until the waiters are opened.
  package func wait(_ waiters: UnsafeMutablePointer<Waiters>, for obstacle: StaticString) {
    waiters.pointee.bits |= own
    block(obstacle)
    waiters.pointee.bits &= ~own
  }

  /// Blocks the calling fiber until there is work for it; returns false if the execution ends first.
  package func waitForWork(_ waiters: UnsafeMutablePointer<Waiters>) -> Bool {
    guard !isEnding else { return false }
    idle |= own
    wait(waiters, for: "work")
    idle &= ~own
    return !isEnding
  }

  /// Lets a number of the waiting fibers run, the oldest fibers first. The other fibers keep waiting.
  package func open(_ waiters: Waiters, for work: Int) {
    enabled &= ~waiters.bits
    var bits = waiters.bits
    for _ in 0..<work where bits != 0 {
      enabled |= bits & (~bits + 1)
      bits &= bits - 1
    }
  }

  /// Waits until no fiber can run unless time passes. Everything that has run happens before the return.
  package func drain() {
    pause(.drain)
  }

  /// Waits until no fiber will run again, timers included. Everything that has run happens before the return.
  package func settle() {
    pause(.settle)
  }

  private func pause(_ kind: WaitKind) {
    precondition(current == 0, "only the scenario itself waits for all others")
    waitKind = kind
    block("all others")
    waitKind = .none
    for fiber in 1..<max(count, 1) {
      fibers[0].clock.join(fibers[fiber].clock)
    }
  }

  // MARK: Order

  package var clock: VectorClock { fibers[current].clock }

  package var moment: Moment { Moment(fiber: current, epoch: fibers[current].clock[current]) }

  package func acquire(_ other: VectorClock) {
    fibers[current].clock.join(other)
  }

  /// Returns the vector clock of the calling fiber, and begins the fiber's next epoch.
  package func release() -> VectorClock {
    defer { fibers[current].clock.tick(current) }
    return fibers[current].clock
  }

  /// Chooses one of several values that a load may return; zero is the latest value.
  func chooseRead(of count: Int) -> Int {
    guard count > 1 else { return 0 }
    let option = choices.choose(of: count, free: 1, allowed: staleReads < bound.staleReads ? count : 1)
    staleReads += option == 0 ? 0 : 1
    return option
  }

  /// Chooses whether a weak exchange fails for no reason.
  package func chooseFailure() -> Bool {
    let fails = choices.choose(of: 2, free: 1, allowed: weakFailures < bound.weakFailures ? 2 : 1) > 0
    weakFailures += fails ? 1 : 0
    return fails
  }
}
