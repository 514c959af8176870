import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

struct RemoveSubscribersTests {
  private let log = Log()
  private let subject = PublishSubject<Int>()

  @Test("V4, removeSubscribers: no subscriber is called again, not even with the end")
  func silence() {
    let tokens = [subject.log(into: log, as: "a"), subject.map { -$0 }.log(into: log, as: "b")]
    subject.update(1)
    subject.removeSubscribers()
    subject.update(2)
    subject.finish()
    #expect(log.entries == ["a1", "b-1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("removeSubscribers: the subject continues, for new subscribers")
  func newSubscribers() {
    let old = subject.log(into: log, as: "a")
    subject.removeSubscribers()
    let new = subject.log(into: log, as: "b")
    subject.update(1)
    subject.finish()
    #expect(log.entries == ["b1", "bdone"])
    withExtendedLifetime((old, new)) {}
  }

  @Test("V1, removeSubscribers: during a delivery, all subscribers receive the values sent before the call")
  func duringDelivery() {
    let tokens = [
      subject.subscribe { [subject, log] in
        log.add("a\($0)")
        guard $0 == 1 else { return }
        subject.update(2)
        subject.removeSubscribers()
        subject.update(3)
      },
      subject.log(into: log, as: "b"),
    ]
    subject.update(1)
    #expect(log.entries == ["a1", "b1", "a2", "b2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("removeSubscribers: releases the blocks of the subscribers")
  func release() {
    weak var weakCanary: Canary?
    let token: any SimpleEventToken
    do {
      let canary = Canary()
      weakCanary = canary
      token = subject.subscribe { _ in withExtendedLifetime(canary) {} }
    }
    #expect(weakCanary != nil)
    subject.removeSubscribers()
    #expect(weakCanary == nil)
    token.remove()
  }
}
