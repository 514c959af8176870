import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

struct SubscribeTests {
  @Test("subscribe: each closure may be omitted")
  func optionalClosures() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let tokens = [
      subject.subscribe(onNext: { log.add("\($0)") }),
      subject.subscribe(onDone: { log.add("done") }),
      subject.subscribe(onError: { log.add("error \($0)") }),
    ]
    subject.update(1)
    subject.finish()
    #expect(log.entries == ["1", "done"])
    withExtendedLifetime(tokens) {}
  }

  @Test("subscribeDistinct: omits values that equal the previous value")
  func distinct() {
    let variable = Variable(1)
    let log = Log()
    let token = variable.subscribeDistinct { new, old in log.add("\(new) \(old as Any)") }
    variable.value = 1
    variable.value = 2
    variable.value = 2
    variable.value = 1
    #expect(log.entries == ["1 nil", "2 Optional(1)", "1 Optional(2)"])
    token.remove()
  }

  @Test("subscribe(filter:): the filter receives all values, and the subscriber the passing values")
  func filter() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.subscribe(
      filter: { new, old in
        log.add("filter \(new) \(old as Any)")
        return new % 2 == 0
      }, { new, old in log.add("\(new) \(old as Any)") })
    for value in [1, 2, 3, 4] {
      subject.update(value)
    }
    #expect(
      log.entries == [
        "filter 1 nil", "filter 2 Optional(1)", "2 nil", "filter 3 Optional(2)", "filter 4 Optional(3)",
        "4 Optional(2)",
      ])
    token.remove()
  }

  @Test("E5: a subscriber that its own filter removes is not called")
  func removalInsideFilter() {
    let subject = PublishSubject<Int>()
    let log = Log()
    var token: (any SimpleEventToken)?
    token = subject.filter { _ in
      token?.remove()
      return true
    }.log(into: log)
    subject.update(1)
    #expect(log.entries == [])
  }
}
