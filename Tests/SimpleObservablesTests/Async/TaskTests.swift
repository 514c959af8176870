import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// Asynchronous functions in operators, in virtual time.
struct TaskTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  @Test("task: sends the result and finishes")
  func result() throws {
    try scheduler.run { [scheduler, log] in
      let lookUp = Observable.task {
        try await scheduler.clock.sleep(for: .milliseconds(5))
        return 7
      }
      let token = lookUp.log(into: log, as: "\(scheduler.milliseconds) ")
      #expect(log.entries == [])
      try await scheduler.clock.sleep(for: .milliseconds(6))
      #expect(log.entries == ["0 7", "0 done"])
      token.remove()
    }
  }

  @Test("task: sends the error that its function throws")
  func error() throws {
    try scheduler.run { [log] in
      let result = await Observable<Int>.task { throw Broken() }.firstResult()
      if case .failure(let error) = result { log.add("\(error)") }
    }
    #expect(log.entries == ["broken"])
  }

  @MainActor
  @Test("E9, task: operators after a function of the main actor are called on the main actor")
  func mainActor() async throws {
    var calls: [String] = []
    let third = try await Observable<Int>
      .task {
        calls.append("call")
        if calls.count < 3 { throw Broken() }
        return calls.count
      }
      .retry(2)
      .map { number in
        calls.append("map")
        return number
      }
      .first()
    #expect(third == 3)
    let replaced = try await Observable.task { (_: String) -> Int in throw Broken() }("query")
      .catch { _ in
        calls.append("catch")
        return .just(7)
      }
      .first()
    #expect(replaced == 7)
    #expect(calls == ["call", "call", "call", "map", "catch"])
  }

  @Test("E9, task: an actor's function sends its result on the actor, other functions do not")
  func actor() async throws {
    actor Reader {
      func read() -> Observable<Int> {
        .task { self.number() }.map { number in
          self.assertIsolated()
          return number
        }
      }

      func readElsewhere() -> Observable<Bool> {
        Observable.task { 7 }.map { @Sendable [self] _ in isCurrent == true }
      }

      private func number() -> Int { 7 }
    }
    let reader = Reader()
    #expect(try await reader.read().first() == 7)
    #expect(try await reader.readElsewhere().first() == false)
  }

  @Test("task: runs once for each subscriber")
  func subscribers() throws {
    try scheduler.run { [scheduler, log] in
      let observable = Observable.task {
        log.add("run")
        return 1
      }
      #expect(log.entries == [])
      let tokens = [observable.log(into: log), observable.log(into: log)]
      try await scheduler.clock.sleep(for: .milliseconds(1))
      #expect(log.entries.filter { $0 == "run" }.count == 2)
      #expect(log.entries.filter { $0 == "done" }.count == 2)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("V5, task: is cancelled when its subscription is removed")
  func cancellation() throws {
    try scheduler.run { [scheduler, log] in
      let token = Observable<Int>.task { [log] in
        do {
          try await scheduler.clock.sleep(for: .seconds(60))
        } catch {
          log.add("cancelled at \(scheduler.milliseconds)")
          throw error
        }
        return 1
      }.log(into: log)
      try await scheduler.clock.sleep(for: .milliseconds(3))
      token.remove()
      try await scheduler.clock.sleep(for: .milliseconds(3))
    }
    #expect(log.entries == ["cancelled at 3"])
  }

  @Test("flatMapLatest: cancels the task of the previous value")
  func superseded() throws {
    try scheduler.run { [scheduler, log] in
      let query = PublishSubject<String>()
      let token = query.flatMapLatest(
        Observable.task { [log] query in
          do {
            try await scheduler.clock.sleep(for: .milliseconds(10))
          } catch {
            log.add("\(scheduler.milliseconds) \(query) cancelled")
            throw error
          }
          return "\(scheduler.milliseconds) results of \(query)"
        }
      ).log(into: log)
      query.update("a")
      try await scheduler.clock.sleep(for: .milliseconds(4))
      query.update("ab")
      try await scheduler.clock.sleep(for: .milliseconds(11))
      query.update("abc")
      query.finish()
      try await scheduler.clock.sleep(for: .milliseconds(11))
      withExtendedLifetime(token) {}
    }
    #expect(log.entries == ["4 a cancelled", "14 results of ab", "25 results of abc", "done"])
  }

  @Test("flatMap: tasks run concurrently")
  func sideBySide() throws {
    try scheduler.run { [scheduler, log] in
      let delays = PublishSubject<Int>()
      let token = delays.flatMap { delay in
        .task {
          try await scheduler.clock.sleep(for: .milliseconds(delay))
          return "\(delay) at \(scheduler.milliseconds)"
        }
      }.log(into: log)
      for delay in [3, 1, 2] { delays.update(delay) }
      delays.finish()
      try await scheduler.clock.sleep(for: .milliseconds(5))
      withExtendedLifetime(token) {}
    }
    #expect(log.entries == ["1 at 1", "2 at 2", "3 at 3", "done"])
  }

  @Test("first: waits for a value until the timeout")
  func timeout() throws {
    try scheduler.run { [scheduler, log] in
      let subject = PublishSubject<Int>()
      async let early = subject.first(timeout: .milliseconds(5), on: scheduler)
      async let late = subject.first(timeout: .milliseconds(20), on: scheduler)
      try await scheduler.clock.sleep(for: .milliseconds(10))
      log.add("\(try await early ?? -1) at \(scheduler.milliseconds)")
      subject.update(1)
      log.add("\(try await late ?? -1) at \(scheduler.milliseconds)")
      log.add("\(try await Variable(2).first(timeout: .zero, on: scheduler) ?? -1)")
      log.add("\(try await Observable<Int>.empty().first(timeout: .seconds(1), on: scheduler) ?? -1)")
      await #expect(throws: Broken.self) {
        try await Observable<Int>.fail(Broken()).first(timeout: .seconds(1), on: scheduler)
      }
      log.add("\(scheduler.milliseconds)")
    }
    #expect(log.entries == ["-1 at 10", "1 at 10", "2", "-1", "10"])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("first: without time, only a value that is sent during the subscription is accepted")
  func noTime() throws {
    let value = try scheduler.run { [scheduler] in
      let subject = PublishSubject<Int>()
      let first = Task { try await subject.first(timeout: .zero, on: scheduler) }
      await Task.yield()
      subject.update(1)
      return try await first.value
    }
    #expect(value == nil)
  }
}
