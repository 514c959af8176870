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

enum ServiceRecipe {
  struct SpanExporter: Sendable {
    private let spans: BatchLoop<String>
    private let send: @Sendable ([String]) async throws -> Void

    init(
      on scheduler: some EventScheduler = .main, send: @escaping @Sendable ([String]) async throws -> Void
    ) {
      self.send = send
      spans = BatchLoop(
        on: scheduler, policy: .audit(.seconds(5)), keeping: .newest(2048), batchSize: 512,
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

enum ServiceArticle {
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
      throw ServiceFailure()
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

/// The error of a service.
struct ServiceFailure: Error, CustomStringConvertible {
  var description: String { "failure" }
}
