import SimpleObservables
import TestSupport
import Testing

/// The demand of a Combine subscriber, tested also on platforms without Combine.
struct DemandBufferTests {
  private let subject = PublishSubject<Int>()
  private let log = Log()

  private func makeValue(
    more: @escaping (Int) -> Int? = { _ in 0 }, failure: @escaping (any Error) -> Broken? = { _ in Broken() }
  ) -> DemandBuffer<Int, Broken> {
    let value = DemandBuffer<Int, Broken>(
      receive: { [log] value in
        log.add("\(value)")
        return more(value)
      }, complete: { [log] failure in log.add(failure == nil ? "finished" : "failed") }, failure: failure)
    value.connect(to: subject)
    return value
  }

  @Test("DemandBuffer: without demand the newest value waits, and the completion waits for the value")
  func demand() {
    let value = makeValue()
    subject.update(1)
    subject.update(2)
    #expect(log.entries == [])
    value.request(1)
    subject.update(3)
    subject.finish()
    #expect(log.entries == ["2"])
    value.request(1)
    value.request(1)
    #expect(log.entries == ["2", "3", "finished"])
  }

  @Test("DemandBuffer: a completion needs no demand")
  func completion() {
    let value = makeValue()
    subject.finish()
    #expect(log.entries == ["finished"])
    withExtendedLifetime(value) {}
  }

  @Test("DemandBuffer: a failure drops the pending value")
  func failure() {
    let value = makeValue()
    subject.update(1)
    subject.fail(Broken())
    value.request(nil)
    #expect(log.entries == ["failed"])
  }

  @Test("DemandBuffer: an error without a failure finishes after the pending value")
  func errorWithoutFailure() {
    let value = makeValue(failure: { _ in nil })
    value.request(1)
    subject.update(1)
    subject.fail(Broken())
    #expect(log.entries == ["1", "finished"])
  }

  @Test("DemandBuffer: a subscriber requests more with each value, or an unlimited number")
  func moreDemand() {
    let value = makeValue(more: { $0 == 1 ? 1 : $0 == 2 ? nil : 0 })
    value.request(1)
    for number in 1...5 { subject.update(number) }
    #expect(log.entries == ["1", "2", "3", "4", "5"])
  }

  @Test("DemandBuffer: a demand that overflows is unlimited")
  func largeDemand() {
    let value = makeValue()
    value.request(.max)
    value.request(.max)
    subject.update(1)
    #expect(log.entries == ["1"])
  }

  @Test("DemandBuffer: nothing follows a cancellation, even inside a call", arguments: [false, true])
  func cancellation(isInside: Bool) {
    var value: DemandBuffer<Int, Broken>?
    value = makeValue(more: { _ in
      if isInside { value?.cancel() }
      return nil
    })
    value?.request(1)
    subject.update(1)
    value?.cancel()
    subject.update(2)
    subject.finish()
    value?.request(1)
    #expect(log.entries == ["1"])
    value = nil
  }

  enum End: CaseIterable {
    case cancellation, cancellationInside, completion, failure
  }

  @Test("DemandBuffer: the end releases the pending value and the subscriber", arguments: End.allCases)
  func released(by end: End) {
    var source: Observer<Canary>?
    weak var pending: Canary?
    weak var subscriber: Canary?
    var value: DemandBuffer<Canary, Broken>?
    do {
      let canary = Canary()
      subscriber = canary
      value = DemandBuffer(
        receive: { _ in
          if end == .cancellationInside { value?.cancel() }
          return withExtendedLifetime(canary) { 0 }
        }, complete: { _ in withExtendedLifetime(canary) {} }, failure: { _ in Broken() })
    }
    value?.connect(
      to: .create { observer in
        source = observer
        return {}
      })
    do {
      let canary = Canary()
      pending = canary
      source?.next(canary)
    }
    #expect(pending != nil && subscriber != nil)
    switch end {
    case .cancellation: value?.cancel()
    case .cancellationInside: value?.request(1)
    case .completion:
      source?.finish()
      value?.request(1)
    case .failure: source?.fail(Broken())
    }
    #expect(pending == nil)
    #expect(subscriber == nil)
    value = nil
  }
}
