import Dispatch
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

@Suite struct ObserveOnTests {
  let scheduler: TestScheduler = TestScheduler()
  let log: Log = Log()

  @Test func `is synchronous when the caller is on the scheduler already`() {
    let variable = Variable(1)
    let token = variable.subscribe(on: scheduler) { log.add("\($0)") }
    variable.value = 2
    #expect(log.entries == ["1", "2"])
    #expect(scheduler.pendingCount == 0)
    token.remove()
  }

  @Test func `is asynchronous and in order otherwise, on one turn`() {
    let elsewhere = Elsewhere(scheduler)
    let subject = PublishSubject<Int>()
    let token = subject.observe(on: elsewhere).log(into: log)
    for value in 1...3 {
      subject.update(value)
    }
    subject.finish()
    #expect(log.entries == [])
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(log.entries == ["1", "2", "3", "done"])
    token.remove()
  }

  @Test func `what is sent on the scheduler does not overtake what waits`() {
    let elsewhere = Elsewhere(scheduler)
    let subject = PublishSubject<Int>()
    let token = subject.observe(on: elsewhere).log(into: log)
    subject.update(1)
    elsewhere.enter { subject.update(2) }
    #expect(log.entries == ["1", "2"])
    subject.update(3)
    scheduler.run()
    #expect(log.entries == ["1", "2", "3"])
    token.remove()
  }

  @Test func `what a delivery gives rise to comes after it`() {
    let elsewhere = Elsewhere(scheduler)
    let subject = PublishSubject<Int>()
    let token = subject.subscribe(on: elsewhere) { value in
      log.add("\(value)")
      if value < 3 { subject.update(value + 1) }
      log.add("\(value) returns")
    }
    subject.update(1)
    scheduler.run()
    #expect(log.entries == ["1", "1 returns", "2", "2 returns", "3", "3 returns"])
    token.remove()
  }

  @Test func `nothing is delivered after removal, though it was on its way`() {
    let elsewhere = Elsewhere(scheduler)
    let subject = PublishSubject<Int>()
    let token = subject.observe(on: elsewhere).log(into: log)
    subject.update(1)
    subject.finish()
    elsewhere.enter { token.remove() }
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test func `values that were sent before the end are not lost to it`() {
    let elsewhere = Elsewhere(scheduler)
    var subject: PublishSubject<Int>? = PublishSubject()
    let token = subject?.observe(on: elsewhere).map { $0 * 2 }.log(into: log)
    subject?.update(1)
    subject = nil
    scheduler.run()
    #expect(log.entries == ["2", "done"])
    token?.remove()
  }

  @Test(arguments: [
    (Backlog.latest, ["5", "done"]), (.buffering(2), ["4", "5", "done"]), (.buffering(0), ["5", "done"]),
    (.unlimited, ["1", "2", "3", "4", "5", "done"]),
  ])
  func `a backlog bounds what waits, and never the end`(backlog: Backlog, expected: [String]) {
    let elsewhere = Elsewhere(scheduler)
    let subject = PublishSubject<Int>()
    let token = subject.observe(on: elsewhere, keeping: backlog).log(into: log)
    for value in 1...5 {
      subject.update(value)
    }
    subject.finish()
    scheduler.run()
    #expect(log.entries == expected)
    token.remove()
  }

  @Test func `all three ways to subscribe name a scheduler`() {
    let elsewhere = Elsewhere(scheduler)
    let variable = Variable(1)
    let tokens = [
      variable.subscribe(on: elsewhere) { log.add("a\($0)") },
      variable.subscribe(on: elsewhere) { new, old in log.add("b\(new) \(old as Any)") },
      variable.subscribe(on: elsewhere, onNext: { log.add("c\($0)") }, onDone: { log.add("done") }),
    ]
    #expect(log.entries == [])
    scheduler.run()
    variable.finish()
    scheduler.run()
    #expect(log.entries == ["a1", "b1 nil", "c1", "done"])
    withExtendedLifetime(tokens) {}
  }

  /// Nothing is asserted of when: this is a real queue.
  @Test func `on a dispatch queue, values arrive there in order`() async throws {
    let queue = DispatchQueue(label: "observe")
    let subject = PublishSubject<Int>()
    let observed = subject.observe(on: queue).map { value -> Int in
      dispatchPrecondition(condition: .onQueue(queue))
      return value
    }
    var received: [Int] = []
    let values = observed.values(.unlimited)
    var iterator = values.makeAsyncIterator()
    for value in 0..<1000 {
      subject.update(value)
    }
    subject.finish()
    while let value = try await iterator.next() {
      received.append(value)
    }
    #expect(received == Array(0..<1000))
  }

  @Test func `the main queue may be named by its name alone`() {
    let token = PublishSubject<Int>().subscribe(on: .main) { _ in }
    token.remove()
  }
}
