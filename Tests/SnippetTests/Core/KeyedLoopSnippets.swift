import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
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
