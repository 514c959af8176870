import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The tests of the article "In a ServiceGroup", and of the recipe of an exporter.

private typealias Service = ServiceLifecycle.Service
private typealias ServiceGroup = ServiceLifecycle.ServiceGroup

/// A service that the tests run.
private struct Server: Service {
  let body: @Sendable () async throws -> Void

  func run() async throws { try await body() }
}

struct ServiceGroupSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  /// Returns an exporter. Its calls of `send` take two seconds and are logged.
  private func exporter(failing: Bool = false) -> ServiceArticle.SpanExporter {
    withCoalescingMonitor(ServiceArticle.LossMonitor { [log] in log.add($0) }) {
      ServiceArticle.SpanExporter(on: scheduler, log: { [log] in log.add($0) }) { [log, scheduler] spans in
        log.add("\(spans) at \(scheduler.milliseconds)")
        try await scheduler.clock.sleep(for: .seconds(2))
        if failing { throw ServiceFailure() }
        log.add("sent")
      }
    }
  }

  private func run(_ group: ServiceGroup) -> Task<Void, Never> {
    Task { [log] in
      do {
        try await group.run()
        log.add("end")
      } catch {
        log.add("end: \(error)")
      }
    }
  }

  @Test("Documentation: a group that shuts down sends the queued spans after its servers have ended")
  func graceful() throws {
    try scheduler.run { [log, scheduler] in
      let exporter = exporter()
      let server = Server {
        await ServiceLifecycle.gracefulShutdown()
        try await scheduler.clock.sleep(for: .seconds(1))
        exporter.record("last")
        log.add("server")
      }
      let group = ServiceGroup(services: [exporter, server])
      let running = run(group)
      exporter.record("first")
      try await scheduler.clock.sleep(for: .seconds(1))
      await group.triggerGracefulShutdown()
      await running.value
      exporter.record("too late")
    }
    #expect(
      log.entries == [
        "server", #"["first", "last"] at 2000"#, "sent", "end", "too late is dropped",
      ])
  }

  @Test("Documentation: the last batch of a group is not retried, and goes to onError")
  func gracefulServiceFailure() throws {
    try scheduler.run { [scheduler] in
      let exporter = exporter(failing: true)
      let group = ServiceGroup(services: [exporter])
      let running = run(group)
      exporter.record("a")
      try await scheduler.clock.sleep(for: .seconds(1))
      await group.triggerGracefulShutdown()
      await running.value
    }
    #expect(log.entries == [#"["a"] at 1000"#, #"["a"] are not sent: failure"#, "end"])
  }

  @Test(
    "Documentation: spans that a cancelled group leaves are reported before the group ends",
    arguments: [false, true])
  func cancelled(isShuttingDown: Bool) throws {
    try scheduler.run { [log, scheduler] in
      let exporter = exporter()
      let group = ServiceGroup(services: [exporter])
      let running = run(group)
      exporter.record("a")
      try await scheduler.clock.sleep(for: .seconds(6))  // the first batch is being sent
      exporter.record("b")
      let caller = Task {
        do { try await exporter.loop.process("c") } catch { log.add("caller: \(error)") }
      }
      await Task.yield()
      if isShuttingDown {
        await group.triggerGracefulShutdown()
        try await scheduler.clock.sleep(for: .milliseconds(500))
      }
      running.cancel()
      await running.value
      await caller.value
    }
    // The signal of "a" was delivered, so it counts as sent.
    #expect(
      Set(log.entries) == [
        #"["a"] at 5000"#, "a is dropped", "b is dropped", "c is dropped", "caller: CancellationError()",
        #"BatchLoop<String> "spans" has ended with 2 signals pending"#, "end",
      ])
    #expect(log.entries.last == "end")
  }

  @Test("Documentation: a service that throws cancels the group, and the exporter reports its loss")
  func thrown() throws {
    try scheduler.run { [scheduler] in
      let exporter = exporter()
      let index = ServiceArticle.Index(on: scheduler) { throw ServiceFailure() }
      let running = run(ServiceGroup(services: [exporter, index]))
      exporter.record("a")
      index.changed()
      await running.value
    }
    #expect(
      log.entries == [
        "a is dropped", #"BatchLoop<String> "spans" has ended with 1 signals pending"#, "end: failure",
      ])
  }

  @Test("Documentation: an index that shuts down makes a last run")
  func index() throws {
    let rebuilds = EventRecorder(on: scheduler)
    try scheduler.run { [scheduler] in
      let index = ServiceArticle.Index(on: scheduler) { rebuilds.record() }
      let group = ServiceGroup(services: [index])
      let running = run(group)
      index.changed()
      try await scheduler.clock.sleep(for: .milliseconds(100))
      await group.triggerGracefulShutdown()
      await running.value
    }
    #expect(rebuilds.milliseconds == [100])
    #expect(log.entries == ["end"])
  }

  @Test("Documentation: a last run that throws out of its host drops its batch, and reports the batch")
  func lastRunThrows() throws {
    try scheduler.run { [log, scheduler] in
      let loop = BatchLoop<String>(
        on: scheduler, policy: .audit(.seconds(5)), keeping: .unlimited,
        onDrop: { log.add("\($0) is dropped") }, retry: .constant(.seconds(1)))
      loop.add("a")
      let caller = Task {
        do { try await loop.process("b") } catch { log.add("caller: \(error)") }
      }
      try await scheduler.clock.sleep(for: .seconds(1))
      let host = Task {
        do { try await loop.run { _ in throw ServiceFailure() } } catch { log.add("host: \(error)") }
      }
      try await scheduler.clock.sleep(for: .seconds(1))
      loop.close()
      await host.value
      await caller.value
    }
    #expect(log.entries.prefix(3) == ["a is dropped", "b is dropped", "host: failure"])
    #expect(log.entries.count == 4 && log.entries.last?.hasPrefix("caller: ") == true)
  }

  @Test("Documentation: a program with a group writes the spans that were not sent")
  func program() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      await #expect(throws: ServiceFailure.self) { try await ServiceArticle.serve { _ in } }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains(#"BatchLoop<String> "spans" has ended with 1 signals pending"#))
    #expect(output.contains("request is dropped"))
  }

  @Test("Documentation: spans are sent every five seconds, with retries, and at the end")
  func recipe() throws {
    try scheduler.run { [log, scheduler] in
      let exporter = ServiceRecipe.SpanExporter(on: scheduler) { spans in
        log.add("\(spans) at \(scheduler.milliseconds)")
        if log.entries.count == 2 { throw ServiceFailure() }
      }
      let host = Task { await exporter.run() }
      exporter.record("a")
      try await scheduler.clock.sleep(for: .seconds(1))
      exporter.record("b")
      try await scheduler.clock.sleep(for: .seconds(9))
      exporter.record("c")
      try await scheduler.clock.sleep(for: .milliseconds(5500))
      exporter.record("d")
      try await scheduler.clock.sleep(for: .seconds(3))
      exporter.record("e")
      await exporter.finish()
      await host.value
    }
    #expect(
      log.entries == [
        #"["a", "b"] at 5000"#, #"["c"] at 15000"#, #"["c", "d"] at 16000"#, #"["e"] at 18500"#,
      ])
  }
}
