import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// The test of Snail that the article about Snail discusses, in virtual time.
struct SnailThrottleTests {
  @Test("Documentation: a value at the end of the first interval replaces the pending value")
  func end() { #expect(sent(secondAt: 10) == ["3"]) }

  @Test("Documentation: a value half an interval later does not replace the first value")
  func later() { #expect(sent(secondAt: 15) == ["1", "3"]) }

  /// Returns the values that Snail's throttle sends, with an interval of ten milliseconds.
  private func sent(secondAt milliseconds: Int) -> [String] {
    let scheduler = TestScheduler()
    let log = Log()
    let subject = PublishSubject<String>()
    scheduler.at(milliseconds) {
      subject.update("2")
      subject.update("3")
    }
    let token = subject.sample(every: .milliseconds(10), on: scheduler).subscribe { log.add($0) }
    subject.update("1")
    scheduler.advance(toMilliseconds: 100)
    token.remove()
    return log.entries
  }
}
