public import SimpleEvents
internal import Synchronization

extension Observable {
  /// The same sequence, told on a scheduler.
  ///
  /// What is sent on the scheduler is passed on at once, with all that waits before it. What is sent
  /// elsewhere is passed on in order on the scheduler's next turn, one turn for all that has come by then.
  /// When a subscription has been removed on the scheduler, nothing more comes.
  ///
  /// A value that is sent elsewhere crosses threads, so it should be `Sendable`.
  ///
  /// - Parameters:
  ///   - scheduler: Where to call subscribers.
  ///   - backlog: What may wait for the turn. By default everything; `.latest` bounds memory where only
  ///     the newest value counts, as with a ``Variable``.
  public func observe(
    on scheduler: some EventScheduler, keeping backlog: Backlog = .unlimited
  ) -> Observable<Value> {
    Observable { [self] downstream in
      let desk = Desk(scheduler, downstream)
      connect(
        under: downstream.subscription,
        onNext: { desk.submit(.next($0), limit: backlog.limit) },
        // The end displaces no value.
        onEnd: { desk.submit(.end($0), limit: .max) })
    }
  }
}

/// Where signals wait to be passed on by a scheduler.
private final class Desk<Value>: Sendable {
  private let scheduler: any EventScheduler
  private let line: SerialLine<Signal<Value>> = SerialLine()
  private let downstream: Receiver<Value>
  /// Whether a turn has been asked for that has not begun.
  ///
  /// Exchanged both ways: whoever finds it set has put its signal in line before the turn's own exchange,
  /// so that the turn sees it.
  private let awaitsTurn: Atomic<Bool> = Atomic(false)

  init(_ scheduler: any EventScheduler, _ downstream: Observer<Value>) {
    self.scheduler = scheduler
    self.downstream = Receiver(observer: downstream)
  }

  func submit(_ signal: Signal<Value>, limit: Int) {
    line.append(signal, limit: limit)
    if scheduler.isCurrent {
      line.resume(to: downstream.observer.accept)
    } else if !awaitsTurn.exchange(true, ordering: .acquiringAndReleasing) {
      scheduler.schedule { [self] in
        _ = awaitsTurn.exchange(false, ordering: .acquiringAndReleasing)
        line.resume(to: downstream.observer.accept)
      }
    }
  }
}

/// NB: `@unchecked`, since the observer's closures are plain ones. They are called on the scheduler, one
/// signal at a time, by the line.
private struct Receiver<Value>: @unchecked Sendable {
  let observer: Observer<Value>
}
