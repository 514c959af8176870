internal import Dispatch

/// Work on a dispatch queue that waits for a timer.
///
/// A timer source instead of `asyncAfter`, whose work items stay queued until their deadline also after
/// a cancellation: schedule and cancel at a high rate would then grow memory without bound (C3).
final class DispatchTimerWork: ScheduledWork {
  private struct Pending {
    var work: @Sendable () -> Void
    var timer: any DispatchSourceTimer
  }

  /// Guards what is still to run; taken by whoever comes first, the timer or `cancel()`.
  private let pending: Guarded<Pending?>

  init(
    queue: DispatchQueue, deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    pending = Guarded(Pending(work: work, timer: timer))
    timer.schedule(
      deadline: DispatchTime(deadline), leeway: .nanoseconds(Int(tolerance.saturatingNanoseconds)))
    // The handler holds self: the timer lives until it fires or is cancelled, also when nobody keeps it.
    timer.setEventHandler { self.fire() }
    // NB: a source that is released without ever having been activated crashes.
    timer.activate()
  }

  func cancel() {
    take()?.timer.cancel()
  }

  private func fire() {
    guard let pending = take() else { return }
    pending.timer.cancel()
    pending.work()
  }

  private func take() -> Pending? {
    pending.withLock { pending in
      let taken = pending
      pending = nil
      return taken
    }
  }
}

extension DispatchTime {
  /// The dispatch time of an instant; one that never comes maps to the distant future.
  fileprivate init(_ instant: EventInstant) {
    let nanoseconds = UInt64(clamping: instant.nanoseconds)
    // NB: dispatch reads an uptime of zero as "now" and of the maximum as "never".
    self = instant == .distantFuture ? .distantFuture : DispatchTime(uptimeNanoseconds: max(nanoseconds, 1))
  }
}
