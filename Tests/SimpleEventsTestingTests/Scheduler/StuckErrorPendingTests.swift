import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: in a debug build, the error of a run that does not end names the objects and the waits that are
/// pending.
@Suite(.enabled(if: isDebug)) struct StuckErrorPendingTests {
  private let scheduler = TestScheduler()

  /// Runs a body that does not end, and returns the error.
  private func stuck(_ body: sending @escaping () async throws -> Void) throws -> TestScheduler.StuckError {
    var error: TestScheduler.StuckError?
    do {
      try scheduler.run(body)
    } catch let stuck as TestScheduler.StuckError {
      error = stuck
    }
    return try #require(error)
  }

  /// Expects one finding of a kind. It names a label and a line of this file, and is part of the description.
  private func expectFinding(
    _ kind: TestScheduler.StuckError.Pending.Kind, _ words: String, label: String?, line: UInt?,
    in error: TestScheduler.StuckError,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let findings = error.pending.filter { $0.kind == kind }
    #expect(findings.count == 1, "\(error)", sourceLocation: sourceLocation)
    guard let finding = findings.first else { return }
    #expect(finding.label == label, sourceLocation: sourceLocation)
    #expect(finding.site?.line == line, sourceLocation: sourceLocation)
    #expect(finding.description.contains(words), "\(finding)", sourceLocation: sourceLocation)
    #expect(error.description.contains(finding.description), sourceLocation: sourceLocation)
    if let line {
      #expect(
        finding.description.contains("StuckErrorPendingTests.swift:\(line)"), sourceLocation: sourceLocation)
    }
  }

  @Test("S4: a loop is named if a task waits forever in its run, and so is a wait for the loop's end")
  func loopRun() throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let line: UInt = #line + 1
    let loop = RefreshLoop(on: scheduler, label: "index") { for await _ in stream {} }
    let error = try stuck {
      loop.request()
      await loop.settle()
    }
    expectFinding(.loopRun, "a run of RefreshLoop \"index\"", label: "index", line: line, in: error)
    expectFinding(
      .wait, "a task waits in settle() of RefreshLoop \"index\"", label: "index", line: line, in: error)
    #expect(error.pending.map(\.type) == ["RefreshLoop", "RefreshLoop"])
    continuation.finish()
    scheduler.run()
  }

  @Test("S4: a batch loop is named if a task waits forever in its run, and so is a wait for its end")
  func batchRun() throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let line: UInt = #line + 1
    let loop = BatchLoop<Int>(on: scheduler, keeping: .newest(1), label: "lines") { _ in
      for await _ in stream {}
    }
    let error = try stuck {
      loop.add(1)
      await loop.finish()
    }
    expectFinding(.loopRun, "a run of BatchLoop<Int> \"lines\"", label: "lines", line: line, in: error)
    expectFinding(
      .wait, "a task waits in finish() of BatchLoop<Int> \"lines\"", label: "lines", line: line, in: error)
    continuation.finish()
    scheduler.run()
  }

  @Test("S4: a wait in stop() is named")
  func stop() throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let loop = RefreshLoop(on: scheduler, label: "index") { for await _ in stream {} }
    let line: UInt = #line - 1
    let error = try stuck { [scheduler] in
      loop.request()
      try await scheduler.clock.sleep(for: .milliseconds(1))
      await loop.stop()
    }
    expectFinding(
      .wait, "a task waits in stop() of RefreshLoop \"index\"", label: "index", line: line, in: error)
    continuation.finish()
    scheduler.run()
  }

  @Test("S4: an event that is pending on the main queue is named, and is a likely cause")
  @MainActor func mainQueue() throws {
    let event = LazySimpleEvent(on: .main, label: "title")
    let line: UInt = #line - 1
    let error = try stuck {
      let notifications = event.notifications
      event.trigger()
      for await _ in notifications { break }
    }
    expectFinding(
      .delivery, "is pending on the main queue", label: "title", line: line, in: error)
    expectFinding(
      .wait, "a task waits for a notification of LazySimpleEvent \"title\"", label: "title", line: line,
      in: error)
    #expect(
      error.likelyCauses.contains {
        $0.hasPrefix("LazySimpleEvent \"title\" (created at ")
          && $0.contains("pass the test scheduler to this object")
      })
  }

  @Test("S4: every type that coalesces is named with its own type, label and line")
  func types() throws {
    let queue = DispatchQueue(label: "service")
    queue.suspend()
    let source = SimpleEvent()
    let first: UInt = #line + 1
    let callback = CoalescingCallback(on: queue, label: "callback") {}
    let collector = CoalescingCollector<Int>(on: queue, keeping: .newest(1), label: "collector") { _ in }
    let group = SimpleEventGroupObserver(of: source, on: queue, label: "group") { _ in }
    let proxy = SimpleEventProxy(of: source, on: queue, label: "proxy")
    let loop = RefreshLoop(on: queue, policy: .audit(.seconds(100)), label: "loop") {}
    let error = try stuck { [scheduler] in
      callback.schedule()
      collector.add(1)
      source.trigger()
      loop.request()
      try await scheduler.clock.sleep(until: .distantFuture)
    }
    let types = [
      "CoalescingCallback", "CoalescingCollector<Int>", "SimpleEventGroupObserver", "SimpleEventProxy",
      "RefreshLoop",
    ]
    #expect(error.pending.map(\.type) == types)
    #expect(
      error.pending.map(\.label) == ["callback", "collector", "group", "proxy", "loop"])
    #expect(error.pending.map(\.site?.line) == (0..<5).map { first + $0 })
    #expect(
      error.pending.allSatisfy { $0.kind == .delivery && $0.description.hasSuffix("the queue \"service\"") })
    queue.resume()
    queue.sync {}
    group.remove()
    proxy.remove()
  }

  @Test("S4: an object that has delivered and a deallocated object are not named")
  func notPending() throws {
    let event = LazySimpleEvent(on: scheduler)
    let error = try stuck { [scheduler] in
      event.trigger()
      LazySimpleEvent(on: .main).trigger()
      let cancelled = CoalescingCallback(on: .main) {}
      cancelled.schedule()
      cancelled.cancel()
      try await scheduler.clock.sleep(for: .milliseconds(1))
      try await scheduler.clock.sleep(until: .distantFuture)
    }
    #expect(error.pending.map(\.description) == [])
    #expect(!error.description.contains("Found:"))
  }

  @Test("S4: a sleep on the clock of another scheduler is named; a sleep on its own clock is an entry")
  func sleep() throws {
    let other = TestScheduler(label: "other")
    let line: UInt = #line - 1
    let error = try stuck { [scheduler] in
      async let own: Void = scheduler.clock.sleep(until: .distantFuture)
      try await other.clock.sleep(for: .seconds(1))
      try await own
    }
    expectFinding(
      .wait, "sleeps on the clock of another TestScheduler \"other\" (created at ", label: "other",
      line: line,
      in: error)
    #expect(error.waiting.map(\.deadline) == [.distantFuture])
  }

  @Test("S4: a wait for a value of a mailbox is named, with the mailbox's type and label")
  func mailbox() throws {
    let line: UInt = #line + 1
    let mailbox = SimpleMailbox<String>(label: "found")
    let error = try stuck { _ = await mailbox.next() }
    expectFinding(
      .wait, "next() of SimpleMailbox<String> \"found\" (created at ", label: "found", line: line, in: error)
    #expect(error.pending.first?.type == "SimpleMailbox<String>")
  }

  @Test("S4: a wait that has ended is not named")
  func endedWaits() throws {
    let event = LazySimpleEvent(on: scheduler)
    let mailbox = SimpleMailbox<Int>()
    let loop = RefreshLoop(on: scheduler) {}
    let other = TestScheduler()
    let error = try stuck { [scheduler] in
      var iterator = event.notifications.makeAsyncIterator()
      scheduler.at(1) { event.trigger() }
      await iterator.next()
      scheduler.at(2) { mailbox.replace(1) }
      _ = await mailbox.next()
      scheduler.at(3) { other.advance(by: .seconds(1)) }
      try await other.clock.sleep(for: .seconds(1))
      loop.request()
      await loop.settle()
      await loop.stop()
      try await scheduler.clock.sleep(until: .distantFuture)
    }
    #expect(error.pending.map(\.description) == [])
    #expect(error.instant == .ms(3))
  }

  @Test("S4: objects and waits of tasks that do not inherit from the run are recorded")
  func detached() throws {
    let event = LazySimpleEvent(on: scheduler, label: "never")
    let line: UInt = #line - 1
    let error = try stuck {
      await Task.detached { for await _ in event.notifications {} }.value
    }
    expectFinding(.wait, "waits for a notification", label: "never", line: line, in: error)
  }

  @Test("S4: the error of a nested run lists nothing as pending")
  func nested() throws {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    let event = LazySimpleEvent(on: DispatchQueue.global())
    try scheduler.run {
      event.trigger()
      let error = #expect(throws: TestScheduler.StuckError.self) { try scheduler.run {} }
      #expect(error?.pending.isEmpty == true)
    }
  }

  @Test("S4: a run at its limit first names the objects that keep it busy")
  func limit() {
    let event = LazySimpleEvent(on: scheduler, label: "echo")
    let token = event.addObserver { [weak event] _ in event?.trigger() }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run(limit: 100) { [scheduler] in
        event.trigger()
        try await scheduler.clock.sleep(until: .distantFuture)
      }
    }
    #expect(error?.likelyCauses.first?.contains("LazySimpleEvent \"echo\" (created at ") == true)
    token?.remove()
  }

  @Test("S4: objects that stay pending stay in the log while thousands of others are created and released")
  func many() throws {
    let queue = DispatchQueue(label: "service")
    queue.suspend()
    let events = (0..<150).map { LazySimpleEvent(on: queue, label: "\($0)") }
    let error = try stuck { [scheduler] in
      for event in events {
        event.trigger()
        Task { for await _ in event.notifications {} }
      }
      for _ in 0..<3000 {
        LazySimpleEvent(on: scheduler).trigger()
        try await scheduler.clock.sleep(for: .nanoseconds(1))
      }
      try await scheduler.clock.sleep(until: .distantFuture)
    }
    let labels: [String?] = (0..<150).map { "\($0)" }
    #expect(error.pending.filter { $0.kind == .delivery }.map(\.label) == labels)
    #expect(error.pending.filter { $0.kind == .wait }.map(\.label) == labels)
    queue.resume()
    queue.sync {}
  }

  @Test("runOnMain: objects and waits of main-actor code are recorded")
  @MainActor func runOnMain() async throws {
    let event = LazySimpleEvent(on: scheduler, label: "view")
    let line: UInt = #line - 1
    let error = await #expect(throws: TestScheduler.StuckError.self) {
      try await scheduler.runOnMain { for await _ in event.notifications {} }
    }
    expectFinding(.wait, "waits for a notification", label: "view", line: line, in: try #require(error))
  }
}
