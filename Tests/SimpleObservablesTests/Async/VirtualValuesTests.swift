import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// S4 and V6: loops over values in virtual time.
struct VirtualValuesTests {
  private let scheduler = TestScheduler()

  /// Sets a variable every 100 milliseconds for two seconds, and waits until a task has taken the last value.
  @MainActor private func run(
    _ start: @escaping @MainActor (Variable<Int>, SchedulerClock) -> Task<Void, any Error>
  ) async throws {
    let number = Variable(0)
    try await scheduler.runOnMain { [scheduler] in
      let task = start(number, scheduler.clock)
      for value in 1...20 {
        try await scheduler.clock.sleep(for: .milliseconds(100))
        number.value = value
      }
      try await scheduler.clock.sleep(for: .seconds(5))
      task.cancel()
    }
  }

  @Test("S4, values: a main-actor task that prefers no scheduler takes values at exact instants")
  @MainActor func values() async throws {
    for _ in 0..<10 {
      var taken: [Int] = []
      try await run { number, clock in
        Task {
          for try await value in number.values {
            taken.append(value)
            try await clock.sleep(for: .milliseconds(930))
          }
        }
      }
      #expect(taken == [0, 9, 18, 20])
    }
  }

  @Test("S4, first: a main-actor task that prefers no scheduler takes first values at exact instants")
  @MainActor func first() async throws {
    for _ in 0..<10 {
      var taken: [Int] = []
      try await run { number, clock in
        Task {
          while let value = try await number.first() {
            taken.append(value)
            try await clock.sleep(for: .milliseconds(1930))
          }
        }
      }
      #expect(taken == [0, 19, 20, 20])
    }
  }

  /// Returns a function that waits for the next value with a copy of one iterator.
  private func sharedNext(of subject: PublishSubject<Int>) -> @Sendable () async throws -> Int? {
    nonisolated(unsafe) let iterator = subject.values.makeAsyncIterator()
    return {
      var copy = iterator
      return try await copy.next()
    }
  }

  @Test("values: a second task that waits with an iterator ends the wait of the first task")
  func secondTask() throws {
    let subject = PublishSubject<Int>()
    try scheduler.run { [scheduler] in
      let next = sharedNext(of: subject)
      async let first = next()
      try await scheduler.clock.sleep(for: .seconds(1))
      async let second = next()
      try await scheduler.clock.sleep(for: .seconds(1))
      subject.update(1)
      #expect(try await first == nil)
      #expect(try await second == 1)
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("values: the first task of two takes no value that comes before it is resumed")
  func displacedTask() throws {
    let subject = PublishSubject<Int>()
    try scheduler.run { [scheduler] in
      let next = sharedNext(of: subject)
      async let first = next()
      try await scheduler.clock.sleep(for: .seconds(1))
      let second = Task.immediate { try await next() }
      subject.update(1)
      #expect(try await first == nil)
      #expect(try await second.value == 1)
    }
  }

  @Test("S4, values: the error of a stuck run names a task that waits for values", .enabled(if: isDebug))
  func stuck() {
    let subject = PublishSubject<Int>()
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        for try await _ in subject.values {}
      }
    }
    #expect(error?.pending.map(\.description) == ["a task waits in next() of ObservableValues<Int>"])
    #expect(
      error?.likelyCauses.contains { $0.hasPrefix("no value comes to ObservableValues<Int>") } == true)
    subject.finish()
    scheduler.run()
  }
}
