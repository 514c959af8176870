internal import Synchronization

extension RateLimiter {
  /// Waits until the rate admits the caller.
  ///
  /// ```swift
  /// func send(_ request: Request) async throws -> Response {
  ///   try await limiter.acquire()
  ///   return try await connection.send(request)
  /// }
  /// ```
  ///
  /// Tasks are admitted in the order of their calls, each as soon as the rate allows it. A task that is
  /// cancelled while it waits gives its place to the next task, and does not count as admitted (R3). The call
  /// keeps the limiter alive.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before it is admitted, or if it waits and the
  ///   scheduler can no longer run work (S7).
  /// - Complexity: Amortised O(1), plus the cost of one deadline of the scheduler for each admission.
  public func acquire() async throws {
    try Task.checkCancellation()
    if tryAcquire() { return }
    let wait = LimiterWait()
    let end = await CancellableWait.suspend(for: .admission(by: subject, on: scheduler)) {
      begin(wait, $0)
    } cancel: {
      cancel(wait)
    }
    if end == .cancelled { throw CancellationError() }
  }

  /// The tasks that wait, and the timer for the first task. The limiter's lock guards this state.
  struct Line {
    var waits: WaitList<LimiterWait> = WaitList()
    /// The theoretical arrival time while tasks wait; nil while no task waits.
    var arrival: UInt64?
    /// The timer for the next admission; nil while no task waits.
    ///
    /// The instant of the next admission does not depend on the task, so the timer stays as it is when the
    /// first task is cancelled.
    var timer: PendingSleep?
  }

  /// Begins a wait for an admission.
  ///
  /// - Parameter resume: Resumes the task. It is called on the thread that ends the wait. If the wait was
  ///   already cancelled, `resume` is called before this method returns.
  package func begin(_ wait: LimiterWait, _ resume: @escaping CancellableWait.Resume) {
    change { $0.waits.add(wait, resume).map { [$0] } ?? [] }
  }

  /// Ends a wait without an admission, even before the wait begins. The call has no effect once the wait is
  /// over.
  package func cancel(_ wait: LimiterWait) { change { $0.waits.cancel(wait).map { [$0] } ?? [] } }

  /// Admits the first tasks when the timer fires, or ends all waits when the scheduler has lost the timer
  /// (S7).
  private func wake(_ timer: PendingSleep, _ end: CancellableWait.End) {
    // The clock may be a client's code, which is not called under a lock.
    let now = elapsed
    change { line in
      // If all waits have ended in the meantime, this timer is void.
      guard line.timer === timer else { return [] }
      line.timer = nil
      var resumptions: [CancellableWait.Resumption] = []
      while let present = line.arrival,
        let next = end == .reached ? arrival(after: present, at: now) : present,
        let first = line.waits.endFirst(end)
      {
        line.arrival = next
        resumptions.append(first.resumption)
      }
      return resumptions
    }
  }

  /// Changes the line, and then the arrival time and the timer, because both depend on whether a task waits.
  ///
  /// - Parameter body: The function that changes the line, under the lock. It returns the resumptions of the
  ///   tasks that no longer wait.
  private func change(_ body: (inout Line) -> [CancellableWait.Resumption]) {
    typealias Alarm = (timer: PendingSleep, deadline: EventInstant)
    let (resumptions, unneeded, alarm) = line.withLock {
      line -> ([CancellableWait.Resumption], PendingSleep?, Alarm?) in
      defer { checkInvariants(line) }
      let resumptions = body(&line)
      guard !line.waits.isEmpty else {
        if let present = line.arrival.take() { arrival.store(present, ordering: .relaxed) }
        return (resumptions, line.timer.take(), nil)
      }
      let present = line.arrival ?? arrival.exchange(.max, ordering: .relaxed)
      line.arrival = present
      guard line.timer == nil else { return (resumptions, nil, nil) }
      let timer = PendingSleep()
      line.timer = timer
      return (resumptions, nil, (timer, instant(of: present - min(present, tolerance))))
    }
    unneeded?.cancel()
    for resumption in resumptions { resumption() }
    guard let (timer, deadline) = alarm else { return }
    timer.begin(on: scheduler, until: deadline, tolerance: .zero) { [self] in wake(timer, $0) }
  }

  /// Checks that a timer is set, and that every other call is refused, while a task waits. Called under the
  /// lock.
  private func checkInvariants(_ line: Line) {
    invariant((line.timer == nil) == line.waits.isEmpty, "R3: a timer is set exactly while a task waits")
    invariant(
      line.waits.isEmpty || arrival.load(ordering: .relaxed) == .max,
      "R3: no other call is admitted while a task waits")
  }
}

/// One wait of a task for an admission.
package final class LimiterWait: QueuedWait {}

// SAFETY: the state is used under the lock of the limiter only.
extension LimiterWait: @unchecked Sendable {}
