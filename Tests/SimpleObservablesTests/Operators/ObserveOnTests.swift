import Dispatch
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

struct ObserveOnTests {
  let scheduler: TestScheduler = TestScheduler()
  let log: Log = Log()

  @Test("observe: a value that is sent on the scheduler is delivered synchronously")
  func synchronous() {
    let variable = Variable(1)
    let token = variable.subscribe(on: scheduler) { log.add("\($0)") }
    variable.value = 2
    #expect(log.entries == ["1", "2"])
    #expect(scheduler.pendingCount == 0)
    token.remove()
  }

  @Test("V1, observe: values that are sent elsewhere are delivered in order on one turn")
  func asynchronous() {
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

  @Test("V1, observe: a value that is sent on the scheduler does not overtake pending values")
  func noOvertaking() {
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

  @Test("V1, observe: a value that is sent during a delivery is delivered after it")
  func nestedValue() {
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

  @Test("E6, observe: pending values are not delivered after the removal")
  func removal() {
    let elsewhere = Elsewhere(scheduler)
    let subject = PublishSubject<Int>()
    let token = subject.observe(on: elsewhere).log(into: log)
    subject.update(1)
    subject.finish()
    elsewhere.enter { token.remove() }
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("V4, observe: values that were sent before the end are delivered before it")
  func valuesBeforeEnd() {
    let elsewhere = Elsewhere(scheduler)
    var subject: PublishSubject<Int>? = PublishSubject()
    let token = subject?.observe(on: elsewhere).map { $0 * 2 }.log(into: log)
    subject?.update(1)
    subject = nil
    scheduler.run()
    #expect(log.entries == ["2", "done"])
    token?.remove()
  }

  @Test(
    "V3, observe: a backlog bounds the pending values and never drops the end",
    arguments: [
      (BufferingPolicy.newest(1), ["5", "done"]), (.newest(2), ["4", "5", "done"]),
      (.newest(0), ["5", "done"]),
      (.unbounded, ["1", "2", "3", "4", "5", "done"]),
    ])
  func backlog(backlog: BufferingPolicy, expected: [String]) {
    let elsewhere = Elsewhere(scheduler)
    let subject = PublishSubject<Int>()
    let token = subject.observe(on: elsewhere, buffering: backlog).log(into: log)
    for value in 1...5 {
      subject.update(value)
    }
    subject.finish()
    scheduler.run()
    #expect(log.entries == expected)
    token.remove()
  }

  @Test("subscribe(on:): all three forms take a scheduler")
  func forms() {
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

  /// This queue is real. The test asserts the order, and no times.
  @Test("V1, observe: a dispatch queue delivers values in order on the queue")
  func dispatchQueue() async throws {
    let queue = DispatchQueue(label: "observe")
    let subject = PublishSubject<Int>()
    let observed = subject.observe(on: queue).map { value -> Int in
      dispatchPrecondition(condition: .onQueue(queue))
      return value
    }
    var received: [Int] = []
    let values = observed.values(buffering: .unbounded)
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

  @Test("subscribe(on:): the argument .main names the main queue")
  @MainActor func mainQueue() async {
    let variable = Variable(1)
    let token = variable.subscribe(on: .main) { [log] value in
      log.add("\(value) \(DispatchQueue.main.isCurrent)")
    }
    #expect(log.entries == ["1 true"], "on the main queue the delivery is synchronous")
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        variable.value = 2
        continuation.resume()
      }
    }
    await mainQueueTurn()
    #expect(log.entries == ["1 true", "2 true"])
    token.remove()
  }
}
