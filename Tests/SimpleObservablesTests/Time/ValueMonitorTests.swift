import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// W2 and W4 for the operators with a policy, in virtual time.
struct ValueMonitorTests {
  private let scheduler = TestScheduler()
  private let log = MonitorLog()

  @Test("W4: each subscriber of an operator with a policy is a source, and its signals are the values")
  func coalesced() {
    let subject = PublishSubject<Int>()
    let values = subject.debounce(.milliseconds(10), on: scheduler)
    let line = #line - 1
    let bag = DisposeBag()
    withCoalescingMonitor(log) { values.subscribe { _ in }.disposed(by: bag) }
    for value in 0..<5 { subject.update(value) }
    scheduler.run()
    subject.update(5)
    subject.finish()
    #expect(log.records.map(\.source.site?.line) == [UInt(line)])
    #expect(log.records[0].source.policy == .debounce(.milliseconds(10)))
    #expect(log.entries.dropFirst() == ["5 since 0 at 10, deadline", "1 since 10 at 10, flush", "ended 0"])
    #expect(log.faults == [])
  }

  @Test("W2: a value that is pending when its subscriber leaves is unsent")
  func leaves() {
    let variable = Variable(0)
    let sampled = variable.sample(every: .milliseconds(10), on: scheduler)
    let token = withCoalescingMonitor(log) { sampled.subscribe { _ in } }
    variable.value = 1
    token.remove()
    #expect(log.records[0].unsent == log.records[0].signals)
    #expect(log.records[0].signals > 0)
  }
}
