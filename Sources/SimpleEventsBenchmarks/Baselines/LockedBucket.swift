internal import Dispatch
internal import Synchronization

/// A hand-written bucket of tokens: a number of tokens and the time of the last call, behind a lock.
final class LockedBucket: Sendable {
  private struct State {
    var tokens: Double
    var last: UInt64
  }

  private let tokensPerNanosecond: Double
  private let burst: Double
  /// Guards the tokens and the time.
  private let state: Mutex<State>

  init(every interval: Duration, burst: Int) {
    tokensPerNanosecond = .nanoseconds(1) / interval
    self.burst = Double(burst)
    state = Mutex(State(tokens: Double(burst), last: DispatchTime.now().uptimeNanoseconds))
  }

  func take() -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    return state.withLock { state in
      if now > state.last {
        state.tokens = min(burst, state.tokens + Double(now - state.last) * tokensPerNanosecond)
        state.last = now
      }
      guard state.tokens >= 1 else { return false }
      state.tokens -= 1
      return true
    }
  }
}
