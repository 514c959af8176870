import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// E9, L6: the actors on which the closures of a batch loop run.
struct BatchIsolationTests {
  private actor Journal {
    let lines: BatchLoop<String>
    private(set) var written: [String] = []

    init(on scheduler: TestScheduler) { lines = BatchLoop(on: scheduler, keeping: .unlimited) }

    nonisolated func add(_ line: String) { lines.add(line) }

    func run() async throws { try await lines.run { try await self.write($0) } }

    func runReporting() async {
      await lines.run { batch in
        self.preconditionIsolated()
        throw RefreshScript.Failure()
      } onError: { _, batch in
        self.preconditionIsolated()
        self.written += batch.map { "not \($0)" }
      }
    }

    private func write(_ batch: ElementBatch<String>) async throws {
      preconditionIsolated()
      written += batch
    }
  }

  @Test("E9: the body and onError of a hosted loop run on their actor")
  func hosted() throws {
    let scheduler = TestScheduler()
    let written = try scheduler.run {
      let journal = Journal(on: scheduler)
      let host = Task { try await journal.run() }
      journal.add("a")
      await journal.lines.settle()
      host.cancel()
      _ = await host.result
      let other = Task { await journal.runReporting() }
      journal.add("b")
      await journal.lines.settle()
      other.cancel()
      await other.value
      return await journal.written
    }
    #expect(written == ["a", "not b"])
  }

  @MainActor
  @Test("E9: the body and onError of a main-actor class run on the main actor")
  func mainActor() async throws {
    let scheduler = TestScheduler()
    var entries: [String] = []
    try await scheduler.runOnMain {
      let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited) { batch in
        MainActor.assertIsolated()
        entries.append("\(Array(batch))")
        if batch.first == 2 { throw RefreshScript.Failure() }
      } onError: { _, batch in
        MainActor.assertIsolated()
        entries.append("not \(Array(batch))")
      }
      loop.add(1)
      await loop.settle()
      loop.add(2)
      await loop.finish()
    }
    #expect(entries == ["[1]", "[2]", "not [2]"])
  }

  @MainActor
  @Test("L6: a body of the main actor that has to wait is flagged", .enabled(if: isDebug))
  func blocked() {
    let scheduler = TestScheduler()
    let misuses = MisuseLog()
    let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, misuse: misuses.handler) { @MainActor _ in }
    loop.add(1)
    scheduler.advance()
    #expect(misuses.kinds == [.mainActorBlocked])
    withExtendedLifetime(loop) {}
  }
}
