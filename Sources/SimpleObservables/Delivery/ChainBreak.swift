internal import SimpleEvents

/// A line between two operators of a long chain, which keeps the stack small (V8).
///
/// A signal waits in the line if its delivery would nest too deeply.
final class ChainBreak<Value>: SerialLine<Signal<Value>>, @unchecked Sendable {
  // SAFETY: as its superclass. The observer never changes while there is a reference.

  /// Whether the operator that is so many operators away from its source has one.
  static func isDue(at distance: Int) -> Bool { distance % chainBreakDistance == 0 }

  @exclusivity(unchecked) private var downstream: Observer<Value>?
  private let source: Subscription = Subscription()
  private let conflates: Bool

  init(_ downstream: Observer<Value>) {
    unsafe self.downstream = downstream
    conflates = downstream.conflates
    super.init()
    downstream.subscription.add(self)
  }

  deinit { unsafe DeepCalls.release(&downstream) }

  /// The observer for the operators upstream.
  var observer: Observer<Value> {
    Observer(
      source, conflates: conflates, onNext: { self.send(.next($0), isReplaceable: self.conflates) },
      onEnd: { self.send(.end($0), isReplaceable: false) })
  }

  /// Takes in a signal, which waits in line for the call that passes it on.
  private func send(_ signal: Signal<Value>, isReplaceable: Bool) {
    // Released when this returns: after the lock.
    var replaced: Waiting?
    let isPerformer = performer.withLock { performer in
      var isPerformer = enterIdle(&performer)
      // It makes the caller the performer instead, if the former one has left this moment.
      while wait(&performer, signal, &replaced, isReplaceable: isReplaceable, isUrgent: false) {
        isPerformer = true
      }
      return isPerformer
    }
    if isPerformer { DeepCalls.run { self.resume() } }
    withExtendedLifetime(replaced) {}
  }

  private func resume() {
    performWaiting(to: { unsafe downstream?.accept($0) }, resume: { [self] in resume() })
  }

  /// Disconnects the operators upstream.
  override func disconnect(_ subscription: Subscription) {
    DeepCalls.run { [source] in source.remove() }
  }
}

/// How many operators there are from one break of a chain to the next (V8).
@usableFromInline let chainBreakDistance: Int = 64
