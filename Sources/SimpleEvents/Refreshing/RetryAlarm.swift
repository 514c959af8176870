/// The end of the wait for the next attempt of a loop. It holds the loop weakly.
final class RetryAlarm: Wakeable {
  private let runs: WeakHandle<RefreshRuns>
  private let number: Int

  init(_ runs: RefreshRuns, _ number: Int) {
    self.runs = WeakHandle(runs)
    self.number = number
  }

  func wake(_ cause: WakeCause) {
    switch cause {
    case .turn, .alarm: runs.object?.retryDue(number)
    case .lostTurn, .lostAlarm: runs.object?.retryLost(number)
    }
  }
}
