import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// The recipes in which callers wait for an answer, in virtual time. If any path left a caller without an
/// answer, the run of its test would be stuck.
struct AnswerRecipeTests {
  /// The ways in which the wait of a caller ends.
  enum End: CaseIterable, Sendable {
    case answer, error, callerIsCancelled, cancel, cancelRun, stop, close
  }

  private struct Failure: Error, CustomStringConvertible {
    var description: String { "failure" }
  }

  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  /// Logs the results of concurrent calls in the order of the calls, with the second at which the last call
  /// has returned.
  private func call(_ calls: (@Sendable () async throws -> String?)...) async {
    let tasks = calls.map { call in Task { try await call() } }
    for task in tasks {
      do {
        log.add(try await task.value ?? "none")
      } catch {
        log.add("\(error)")
      }
    }
    log.add("\(scheduler.milliseconds) ms")
  }

  @Test("Documentation: one refresh of a token answers all waiting callers, and a newer token needs none")
  func token() throws {
    let count = Log()
    try scheduler.run { [scheduler] in
      let tokens = TokenSource(on: scheduler) {
        count.add("fetch")
        try await scheduler.clock.sleep(for: .seconds(1))
        return "token \(count.entries.count)"
      }
      await call({ try await tokens.token() }, { try await tokens.token() }, { try await tokens.token() })
      // The server has rejected `token 1` in two requests. The first request refreshes the token. The second
      // one asks for another token after that refresh.
      await call({ try await tokens.token(otherThan: "token 1") })
      await call({ try await tokens.token(otherThan: "token 1") }, { try await tokens.token() })
    }
    #expect(
      log.entries == [
        "token 1", "token 1", "token 1", "1000 ms", "token 2", "2000 ms", "token 2", "token 2", "2000 ms",
      ])
    #expect(count.entries.count == 2)
  }

  @Test("Documentation: a caller during a refresh shares the refresh, and all callers get its error")
  func tokenError() throws {
    let count = Log()
    try scheduler.run { [scheduler] in
      let tokens = TokenSource(on: scheduler) {
        count.add("fetch")
        try await scheduler.clock.sleep(for: .seconds(1))
        if count.entries.count == 1 { throw Failure() }
        return "token"
      }
      await call(
        { try await tokens.token() },
        {
          try await scheduler.clock.sleep(for: .milliseconds(500))
          return try await tokens.token()
        })
      await call({ try await tokens.token() })
    }
    #expect(log.entries == ["failure", "failure", "1000 ms", "token", "2000 ms"])
  }

  @Test("Documentation: a credential is loaded once, renewed before it expires, and loaded again after that")
  func credential() throws {
    let loads = EventRecorder(on: scheduler)
    try scheduler.run { [scheduler] in
      let cache = CredentialCache(on: scheduler) {
        loads.record()
        let secret = "\(loads.count)"
        try await scheduler.clock.sleep(for: .seconds(2))
        return (secret, .seconds(600))
      }
      let secret: @Sendable () async throws -> String? = { try await cache.secret() }
      await call(secret, secret)
      try await scheduler.clock.sleep(for: .seconds(536))
      await call(secret)  // at 538 s: more than a minute is left
      try await scheduler.clock.sleep(for: .seconds(3))
      await call(secret, secret)  // at 541 s: returned immediately, and renewed
      try await scheduler.clock.sleep(for: .seconds(3))
      await call(secret)
      try await scheduler.clock.sleep(for: .seconds(3600))
      await call(secret)
    }
    #expect(
      log.entries == [
        "1", "1", "2000 ms", "1", "538000 ms", "1", "1", "541000 ms", "2", "544000 ms", "3", "4146000 ms",
      ])
    #expect(loads.times == [.zero, .seconds(541), .seconds(4144)])
  }

  @Test("Documentation: a failed renewal is an error only after the credential has expired")
  func failedRenewal() throws {
    let loads = EventRecorder(on: scheduler)
    try scheduler.run { [scheduler] in
      let cache = CredentialCache(on: scheduler) {
        loads.record()
        guard loads.count == 1 else { throw Failure() }
        return ("1", .seconds(100))
      }
      let secret: @Sendable () async throws -> String? = { try await cache.secret() }
      await call(secret)
      try await scheduler.clock.sleep(for: .seconds(50))
      await call(secret)
      try await scheduler.clock.sleep(for: .seconds(50))
      await call(secret)
    }
    #expect(log.entries == ["1", "0 ms", "1", "50000 ms", "failure", "100000 ms"])
  }

  @Test("Documentation: keys are loaded in batches, each once, and each caller receives its own value")
  func loader() throws {
    let batches = Log()
    try scheduler.run { [scheduler] in
      let users = UserLoader(on: scheduler) { ids in
        batches.add("\(ids) at \(scheduler.milliseconds)")
        try await scheduler.clock.sleep(for: .milliseconds(10))
        return Dictionary(uniqueKeysWithValues: ids.filter { $0 < 10 }.map { ($0, "user \($0)") })
      }
      await call(
        { try await users.name(of: 1) }, { try await users.name(of: 2) }, { try await users.name(of: 1) },
        { try await users.name(of: 10) },
        {
          try await scheduler.clock.sleep(for: .milliseconds(8))  // during the first batch
          return try await users.name(of: 2)
        })
      await call({ try await users.name(of: 1) })
      await call({ try await users.name(of: 3) })
    }
    #expect(
      log.entries == [
        "user 1", "user 2", "user 1", "none", "user 2", "15 ms", "user 1", "15 ms", "user 3", "30 ms",
      ])
    #expect(batches.entries == ["[1, 2, 10] at 5", "[3] at 20"])
  }

  @Test("Documentation: every end of a loop answers a refresh", arguments: End.allCases, [true, false])
  func refreshEnds(_ end: End, comesDuringRun: Bool) throws {
    let tokens = TokenSource(on: scheduler) { [scheduler] in
      try await scheduler.clock.sleep(for: .milliseconds(10))
      if end == .error { throw Failure() }
      return "token"
    }
    let cache = CredentialCache(on: scheduler) { [scheduler] in
      try await scheduler.clock.sleep(for: .milliseconds(10))
      if end == .error { throw Failure() }
      return ("secret", .seconds(60))
    }
    try scheduler.run { [scheduler, log] in
      let loops = [await tokens.loop, await cache.loop]
      let callers = [Task { try await tokens.token() }, Task { try await cache.secret() }]
      // The end comes before the callers begin, or during their run.
      if comesDuringRun { try await scheduler.clock.sleep(for: .milliseconds(1)) }
      for (loop, caller) in zip(loops, callers) {
        switch end {
        case .answer, .error: break
        case .callerIsCancelled: caller.cancel()
        case .cancel: loop.cancel()
        case .cancelRun: loop.cancelRun()
        case .stop: await loop.stop(cancelling: true)
        case .close: loop.close()
        }
      }
      for caller in callers { log.add(await caller.result.text) }
    }
    let isAnswered =
      switch end {
      case .answer, .cancel: true
      case .callerIsCancelled, .stop, .error: false
      case .cancelRun: !comesDuringRun
      case .close: comesDuringRun
      }
    let error = end == .error ? "failure" : "CancellationError()"
    #expect(log.entries == (isAnswered ? ["token", "secret"] : [error, error]))
  }

  @Test("Documentation: every end of a loop answers a loader's callers", arguments: End.allCases, [2, 8])
  func loaderEnds(_ end: End, milliseconds: Int) throws {
    let isRunning = milliseconds > 5
    let users = UserLoader(on: scheduler) { [scheduler] ids in
      try await scheduler.clock.sleep(for: .milliseconds(10))
      if end == .error { throw Failure() }
      return [1: "user 1", 2: "user 2"]
    }
    try scheduler.run { [scheduler, log] in
      let loop = await users.loop
      let callers = [1, 2].map { id in Task { try await users.name(of: id) ?? "none" } }
      try await scheduler.clock.sleep(for: .milliseconds(milliseconds))
      switch end {
      case .answer, .error: break
      case .callerIsCancelled: callers[0].cancel()
      case .cancel: loop.cancel()
      case .cancelRun: loop.cancelRun()
      case .stop: await loop.stop(cancelling: true)
      case .close: loop.close()
      }
      for caller in callers { log.add(await caller.result.text) }
    }
    let (answers, cancelled) = (["user 1", "user 2"], ["CancellationError()", "CancellationError()"])
    let expected =
      switch end {
      case .answer, .close: answers
      case .error: ["failure", "failure"]
      case .callerIsCancelled: [cancelled[0], answers[1]]
      case .cancel: isRunning ? answers : cancelled
      case .cancelRun: isRunning ? cancelled : answers
      case .stop: cancelled
      }
    #expect(log.entries == expected)
  }
}

extension Result<String, any Error> {
  fileprivate var text: String {
    switch self {
    case .success(let value): value
    case .failure(let error): "\(error)"
    }
  }
}
