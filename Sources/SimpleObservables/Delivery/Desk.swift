internal import SimpleEvents
internal import Synchronization

/// Passes signals on to an observer on a scheduler, one at a time.
final class Desk<Value>: Sendable {
  // SAFETY: the closures of the observer are plain functions. The line calls them one at a time, on the
  // scheduler.
  private struct Receiver: @unchecked Sendable {
    let observer: Observer<Value>
  }

  private let scheduler: any EventScheduler
  private let line: SerialLine<Signal<Value>> = SerialLine()
  private let downstream: Receiver
  /// Whether a turn has been asked for that has not begun.
  ///
  /// Exchanged both ways: a thread that finds it set has put its signal in line before the exchange of the
  /// turn, so that the turn sees the signal.
  private let awaitsTurn: Atomic<Bool> = Atomic(false)

  init(_ scheduler: any EventScheduler, _ downstream: Observer<Value>) {
    self.scheduler = scheduler
    self.downstream = Receiver(observer: downstream)
  }

  /// Delivers a signal, after those that are in line: at once on the scheduler, elsewhere on its next turn.
  ///
  /// - Parameter limit: The number of signals in line above which the oldest one is dropped.
  func submit(_ signal: Signal<Value>, limit: Int) {
    line.append(signal, limit: limit)
    resume()
  }

  private func resume() {
    if scheduler.isCurrent {
      line.resume(to: { downstream.observer.accept($0) })
    } else if !awaitsTurn.exchange(true, ordering: .acquiringAndReleasing) {
      scheduler.schedule { [self] in
        _ = awaitsTurn.exchange(false, ordering: .acquiringAndReleasing)
        line.resume(to: { downstream.observer.accept($0) })
      }
    }
  }
}
