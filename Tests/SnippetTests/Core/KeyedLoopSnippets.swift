import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

// The snippets of the documentation of keyed loops. A line that ends in "hidden" is not part of the text.

private enum Symbols {
  struct Document: Identifiable {
    let id: Int
  }

  static func diagnostics(
    of id: Document.ID, check: @escaping @Sendable (Document.ID) async throws -> Void
  ) -> KeyedRefreshLoop<Document.ID> {
    let diagnostics = KeyedRefreshLoop<Document.ID>(
      on: .main, policy: .debounce(.milliseconds(200)), label: "diagnostics"
    ) { id in
      try await check(id)
    } onError: { id, error in
      print("\(id) is not checked: \(error)")
    }
    diagnostics.request(id)
    return diagnostics  // hidden
  }

  actor Controller {
    private let objects = KeyedRefreshLoop<String>(
      retry: .exponential(initial: .milliseconds(5)).maximum(.seconds(1000)), label: "controller")
    nonisolated func changed(_ name: String) { objects.request(name) }
    func run() async {
      await objects.run(maxConcurrentRuns: 4) { name in
        try await self.reconcile(name)
      } onError: { name, error in
        print("\(name): \(error)")
      }
    }
    private func reconcile(_ name: String) async throws {}
  }
}

private struct ServerIsDown: Error {}

struct KeyedLoopArticle {
  actor Deployments {
    private let names: KeyedRefreshLoop<String>
    private let deploy: @Sendable (String) async throws -> Void

    init(
      on scheduler: some EventScheduler = .main, deploy: @escaping @Sendable (String) async throws -> Void
    ) {
      self.deploy = deploy
      names = KeyedRefreshLoop(
        on: scheduler, retry: .exponential(initial: .milliseconds(5)).maximum(.seconds(1000)))
    }

    nonisolated func changed(_ name: String) { names.request(name) }

    func run() async {
      await names.run(maxConcurrentRuns: 4) { [deploy] name in
        try await deploy(name)
      } onError: { name, error in
        print("\(name): \(error)")
      }
    }
  }

  final class Starts: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func count(of name: String) -> Int { all.count { $0.hasPrefix(name) } }
  }

  @Test func retriesOneOfFive() throws {
    let scheduler = TestScheduler()
    let starts = Starts()
    try scheduler.run {
      let deployments = Deployments(on: scheduler) { name in
        starts.add("\(name) at \(scheduler.elapsed)")
        try await scheduler.clock.sleep(for: .milliseconds(100))
        if name == "a", starts.count(of: "a") < 3 { throw ServerIsDown() }
      }
      let host = Task { await deployments.run() }
      for name in ["a", "b", "c", "d", "e"] { deployments.changed(name) }
      try await scheduler.clock.sleep(for: .seconds(60))
      host.cancel()
    }
    #expect(
      starts.all == [
        "a at 0.0 seconds", "b at 0.0 seconds", "c at 0.0 seconds", "d at 0.0 seconds",
        "e at 0.1 seconds", "a at 0.105 seconds", "a at 0.215 seconds",
      ])
  }
}
