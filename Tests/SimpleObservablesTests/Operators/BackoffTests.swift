import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// `retry(_:on:)`: a new subscription to the source is made some time after an error.
struct BackoffTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  /// Returns a source that records the instant of each connection, and sends values. The first connections
  /// fail.
  private func source(failing failures: Int, sending values: Int = 0) -> Observable<Int> {
    let connections = Guarded(0)
    return .create { [scheduler, log] observer in
      let count = connections.withLock {
        $0 += 1
        return $0
      }
      log.add("\(scheduler.now.milliseconds)")
      for value in 0..<values { observer.next(value) }
      if count <= failures { observer.fail(Broken()) }
      return { log.add("-\(count)") }
    }
  }

  @Test("V4, V5, retry: the waits are exact in virtual time, and each connection is removed once")
  func exact() {
    let rule = Backoff.exponential(initial: .seconds(1)).maximum(.milliseconds(3500))
    let token = source(failing: 4).retry(rule, on: scheduler).subscribe { _ in }
    scheduler.advance(by: .seconds(60))
    #expect(log.entries == ["0", "-1", "1000", "-2", "3000", "-3", "6500", "-4", "10000"])
    token.remove()
    #expect(log.entries.last == "-5")
    #expect(scheduler.nextDeadline == nil)
  }

  @Test("V4, retry: a value resets the wait")
  func reset() {
    let rule = Backoff.exponential(initial: .seconds(1))
    let token = source(failing: 3, sending: 1).retry(rule, on: scheduler).subscribe { _ in }
    scheduler.advance(by: .seconds(60))
    #expect(log.entries.filter { !$0.hasPrefix("-") } == ["0", "1000", "2000", "3000"])
    token.remove()
  }

  @Test("V4, retry: an error that the rule does not retry is sent once")
  func givenUp() {
    let rule = Backoff.custom { failures, _ in failures < 3 ? .seconds(1) : nil }
    let token = source(failing: .max).retry(rule, on: scheduler).log(into: log)
    scheduler.advance(by: .seconds(60))
    #expect(log.entries == ["0", "-1", "1000", "-2", "2000", "error broken", "-3"])
    token.remove()
  }

  @Test("V4, retry: with `.never` the first error is sent immediately, and no timer is armed")
  func never() {
    let token = source(failing: 1).retry(.never, on: scheduler).log(into: log)
    #expect(log.entries == ["0", "error broken", "-1"])
    #expect(scheduler.nextDeadline == nil)
    token.remove()
  }

  @Test("E6, S2, retry: a removal during the wait releases the work, and the source is not connected again")
  func removedDuringWait() {
    weak var released: Canary?
    let token = {
      let canary = Canary()
      released = canary
      return source(failing: 1).map { value in withExtendedLifetime(canary) { value } }
        .retry(.constant(.seconds(1)), on: scheduler).subscribe { _ in }
    }()
    #expect(scheduler.nextDeadline != nil)
    token.remove()
    #expect(scheduler.nextDeadline == nil)
    #expect(released == nil)
    scheduler.advance(by: .seconds(60))
    #expect(log.entries == ["0", "-1"])
  }

  @Test("C8, retry: a wait of zero or less ends on the next turn", arguments: [0, -5])
  func zero(seconds: Int) {
    let token = source(failing: 1_000).retry(.constant(.seconds(seconds)), on: scheduler).subscribe { _ in }
    #expect(log.entries == ["0", "-1"])
    scheduler.advance(by: .zero)
    #expect(log.entries.filter { $0 == "0" }.count == 1_001)
    token.remove()
  }

  @Test("S7, retry: the error is sent if the actor for the next subscription is deallocated")
  func lost() {
    var host: Host? = Host()
    let onActor = ActorScheduler(host!, clock: scheduler)
    let token = source(failing: 9).retry(.constant(.seconds(1)), on: onActor).log(into: log)
    host = nil
    scheduler.advance(by: .seconds(60))
    #expect(log.entries == ["0", "-1", "error broken"])
    token.remove()
  }

  #if DEBUG
    @Test("C8, retry: a factor that is not a number is flagged with the place of the call")
    func notANumber() {
      let misuses = MisuseLog()
      withMisuseReported(misuses.add) {
        _ = source(failing: 1).retry(.exponential(factor: .nan, initial: .seconds(1)), on: scheduler)
      }
      #expect(misuses.kinds == [.notANumber])
    }
  #endif
}

private actor Host {}
