import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "In a ServiceGroup", and the recipe of an exporter. A line that ends in
// "hidden" is not part of the text.

private typealias Service = ServiceLifecycle.Service
private typealias ServiceGroup = ServiceLifecycle.ServiceGroup

nonisolated(nonsending) private func withGracefulShutdownHandler<Result>(
  operation: () async throws -> Result, onGracefulShutdown handler: @escaping @Sendable () -> Void
) async rethrows -> Result {
  try await ServiceLifecycle.withGracefulShutdownHandler(operation: operation, onGracefulShutdown: handler)
}

private enum Recipe {
  struct SpanExporter: Sendable {
    private let spans: BatchLoop<String>
    private let send: @Sendable ([String]) async throws -> Void

    init(
      on scheduler: some EventScheduler = .main, send: @escaping @Sendable ([String]) async throws -> Void
    ) {
      self.send = send
      spans = BatchLoop(
        on: scheduler, policy: .audit(.seconds(5)), keeping: .newest(2048),
        retry: .exponential(initial: .seconds(1)).maximum(.seconds(30)), label: "spans")
    }

    func record(_ span: String) { spans.add(span) }

    func run() async {
      await spans.run { [send] batch in
        if batch.droppedCount > 0 { print("\(batch.droppedCount) spans are lost") }
        try await send(Array(batch))
      } onError: { error, batch in
        print("\(batch.count) spans are not sent: \(error)")
      }
    }

    func finish() async { await spans.finish() }
    var loop: BatchLoop<String> { spans }  // hidden
  }
}

private enum Article {
  struct SpanExporter: Service {
    private let spans: BatchLoop<String>
    private let log: @Sendable (String) -> Void
    private let send: @Sendable ([String]) async throws -> Void

    init(
      on scheduler: some EventScheduler = .main, log: @escaping @Sendable (String) -> Void,
      send: @escaping @Sendable ([String]) async throws -> Void
    ) {
      self.log = log
      self.send = send
      spans = BatchLoop(
        on: scheduler, policy: .audit(.seconds(5)), keeping: .newest(2048),
        onDrop: { log("\($0) is dropped") }, retry: .constant(.seconds(1)), label: "spans")
    }

    func record(_ span: String) { spans.add(span) }

    func run() async {
      await withGracefulShutdownHandler {
        await spans.run { [send] batch in
          try await send(Array(batch))
        } onError: { [log] error, batch in
          log("\(Array(batch)) are not sent: \(error)")
        }
      } onGracefulShutdown: {
        spans.close()  // one last run
      }
      await spans.stop()  // no host follows: drops what is left
    }
    var loop: BatchLoop<String> { spans }  // hidden
  }

  struct LossMonitor: CoalescingMonitor {
    let log: @Sendable (String) -> Void

    func discarded(_ source: CoalescingSource, unsent: Int) { log("\(source) has lost \(unsent) signals") }

    func ended(_ source: CoalescingSource, unsent: Int) {
      if unsent > 0 { log("\(source) has ended with \(unsent) signals pending") }
    }
  }

  actor Index: Service {
    private let loop: RefreshLoop
    private let rebuild: @Sendable () async throws -> Void

    init(on scheduler: some EventScheduler = .main, rebuild: @escaping @Sendable () async throws -> Void) {
      loop = RefreshLoop(on: scheduler, policy: .debounce(.milliseconds(200)), label: "index")
      self.rebuild = rebuild
    }

    nonisolated func changed() { loop.request() }

    func run() async throws {
      try await withGracefulShutdownHandler {
        try await loop.run { try await self.rebuild() }
      } onGracefulShutdown: { [loop] in
        loop.close()
      }
    }
  }

  struct WebServer: Service {
    private let exporter: SpanExporter
    init(_ exporter: SpanExporter) { self.exporter = exporter }

    func run() async throws {
      exporter.record("request")
      throw Failure()
    }
  }

  static func serve(send: @escaping @Sendable ([String]) async throws -> Void) async throws {
    CoalescingSystem.bootstrap(LossMonitor { print($0) })  // before the loops
    let exporter = SpanExporter(log: { print($0) }, send: send)
    let server = WebServer(exporter)
    let group = ServiceGroup(services: [exporter, server])
    try await group.run()
  }
}

/// A service of the tests.
private struct Server: Service {
  let body: @Sendable () async throws -> Void

  func run() async throws { try await body() }
}

private struct Failure: Error, CustomStringConvertible {
  var description: String { "failure" }
}

struct ServiceGroupSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  /// An exporter whose calls of `send` take two seconds and are logged.
  private func exporter(failing: Bool = false) -> Article.SpanExporter {
    withCoalescingMonitor(Article.LossMonitor { [log] in log.add($0) }) {
      Article.SpanExporter(on: scheduler, log: { [log] in log.add($0) }) { [log, scheduler] spans in
        log.add("\(spans) at \(scheduler.milliseconds)")
        try await scheduler.clock.sleep(for: .seconds(2))
        if failing { throw Failure() }
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

  @Test("Documentation: a group that shuts down sends what is queued, after its servers have ended")
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
  func gracefulFailure() throws {
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
    "Documentation: what a cancelled group leaves is reported before the group ends",
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
    // The signal of "a" was delivered, and so counts as sent.
    let report = isShuttingDown ? "ended with 2 signals pending" : "lost 2 signals"
    #expect(
      Set(log.entries) == [
        #"["a"] at 5000"#, "a is dropped", "b is dropped", "c is dropped", "caller: CancellationError()",
        "BatchLoop<String> \"spans\" has \(report)", "end",
      ])
    #expect(log.entries.last == "end")
  }

  @Test("Documentation: a service that throws cancels the group, and the exporter reports its loss")
  func thrown() throws {
    try scheduler.run { [scheduler] in
      let exporter = exporter()
      let index = Article.Index(on: scheduler) { throw Failure() }
      let running = run(ServiceGroup(services: [exporter, index]))
      exporter.record("a")
      index.changed()
      await running.value
    }
    #expect(
      log.entries == [#"BatchLoop<String> "spans" has lost 1 signals"#, "a is dropped", "end: failure"])
  }

  @Test("Documentation: an index that shuts down makes a last run")
  func index() throws {
    let rebuilds = EventRecorder(on: scheduler)
    try scheduler.run { [scheduler] in
      let index = Article.Index(on: scheduler) { rebuilds.record() }
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

  @Test("Documentation: a last run that throws out of its host drops its batch, and reports it")
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
        do { try await loop.run { _ in throw Failure() } } catch { log.add("host: \(error)") }
      }
      try await scheduler.clock.sleep(for: .seconds(1))
      loop.close()
      await host.value
      await caller.value
    }
    #expect(log.entries.prefix(3) == ["a is dropped", "b is dropped", "host: failure"])
    #expect(log.entries.count == 4 && log.entries.last?.hasPrefix("caller: ") == true)
  }

  @Test("Documentation: a program with a group writes what was not sent")
  func program() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      await #expect(throws: Failure.self) { try await Article.serve { _ in } }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains(#"BatchLoop<String> "spans" has lost 1 signals"#))
    #expect(output.contains("request is dropped"))
  }

  @Test("Documentation: spans are sent every five seconds, with retries, and at the end")
  func recipe() throws {
    try scheduler.run { [log, scheduler] in
      let exporter = Recipe.SpanExporter(on: scheduler) { spans in
        log.add("\(spans) at \(scheduler.milliseconds)")
        if log.entries.count == 2 { throw Failure() }
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
