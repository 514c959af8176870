import SimpleEvents
import Testing

/// L8: the waits of a backoff, and their description.
struct BackoffRuleTests {
  @Test("L8: the wait after many failures is calculated in a few steps", arguments: [0.5, 1, 1.5, 2])
  func manyFailures(_ factor: Double) {
    let backoff = Backoff.exponential(factor: factor, initial: .seconds(1)).maximum(.seconds(60))
    for failures in [1, 2, 3, 7] {
      let product = repeatElement(factor, count: failures - 1).reduce(1, *)
      #expect(backoff.delay(after: failures, CancellationError()) == min(.seconds(60), .seconds(1) * product))
    }
    let limit = backoff.delay(after: .max, CancellationError())
    #expect(limit == (factor < 1 ? .zero : factor == 1 ? .seconds(1) : .seconds(60)))
  }

  @Test("L8: the first exponential wait is exact", arguments: [2363, 1501.5, 3600, -1])
  func firstWait(_ seconds: Double) {
    let initial = Duration.milliseconds(Int(seconds * 1000))
    let wait = Backoff.exponential(initial: initial).delay(after: 1, CancellationError())
    #expect(wait == max(initial, .zero))
  }

  @Test("L8: a wait of more than 2⁶³ seconds is within the maximum")
  func distantWait() {
    let backoff = Backoff.exponential(initial: .seconds(Int64.max) * 2).maximum(.seconds(60))
    #expect(backoff.delay(after: 1, CancellationError()) == .seconds(60))
    #expect(backoff.delay(after: 100, CancellationError()) == .seconds(60))
  }

  @Test(
    "L8: a backoff describes its rule",
    arguments: [
      (Backoff.never, "never"), (.constant(.milliseconds(1500)), "constant 1.5 s"),
      (
        .exponential(initial: .seconds(1)).maximum(.seconds(60)),
        "exponential from 1 s, factor 2.0, at most 1 min"
      ),
      (.exponential(factor: .nan, initial: .zero), "exponential from 0 s, factor 1.0"),
      (
        .custom { _, _ in nil }.fullJitter().maximum(.seconds(Int64.max)),
        "custom, full jitter, at most 106751991167301 d"
      ),
    ])
  func description(_ backoff: Backoff, _ words: String) { #expect("\(backoff)" == words) }
}
