import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: loops whose runs wait for one another are the first likely cause of a run that does not end.
@Suite(.enabled(if: isDebug)) struct WaitCycleTests {
  private let scheduler = TestScheduler()
  private let loops = Loops()

  /// Loops whose bodies look one another up by index.
  private final class Loops: Sendable {
    private let list: Guarded<[RefreshLoop]> = Guarded([])
    var all: [RefreshLoop] { list.withLock { $0 } }
    func set(_ loops: [RefreshLoop]) { _ = list.exchange(loops) }
  }

  /// Creates loops whose bodies wait for the loops with the given indices; returns the line of the first
  /// loop.
  private func makeLoops(_ awaited: [[Int]], call: @escaping @Sendable (RefreshLoop) async -> Void) -> UInt {
    let made = awaited.enumerated().map { index, awaited in
      RefreshLoop(on: scheduler, label: "\(index)") { [loops] in
        // All runs begin before the first one waits.
        await Task.yield()
        for index in awaited { await call(loops.all[index]) }
      }
    }
    let line: UInt = #line - 6
    loops.set(made)
    return line
  }

  /// Runs all loops, and returns the error.
  private func runLoops() throws -> TestScheduler.StuckError {
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { [loops] in
        for loop in loops.all { loop.request() }
        for loop in loops.all { await loop.settle() }
      }
    }
    loops.set([])
    return try #require(error)
  }

  @Test("S4: two loops that wait for each other are named first, with their calls and places")
  func two() throws {
    let line = makeLoops([[1], [0]]) { await $0.settle() }
    let error = try runLoops()
    let place = "(created at SimpleEventsTestingTests/WaitCycleTests.swift:\(line))"
    #expect(
      error.likelyCauses.first == """
        loops that wait for each other: the run of RefreshLoop "0" \(place) waits in settle() of RefreshLoop \
        "1" \(place), the run of RefreshLoop "1" \(place) waits in settle() of RefreshLoop "0" \(place): let \
        one of them call request() without waiting, or wait outside of the runs
        """)
    #expect(
      error.pending.map(\.description).contains(
        "a run of RefreshLoop \"0\" waits in settle() of RefreshLoop \"1\" \(place)"))
  }

  @Test("S4: a cycle of three loops is named, and a fourth loop that waits in stop() is not part of it")
  func three() throws {
    _ = makeLoops([[1], [2], [3], [1]]) { await $0.stop() }
    let cause = try #require(runLoops().likelyCauses.first)
    #expect(cause.hasPrefix("loops that wait for each other: the run of RefreshLoop \"1\""), "\(cause)")
    for (waiting, awaited) in [(1, 2), (2, 3), (3, 1)] {
      #expect(
        cause.split(separator: ", ").contains {
          $0.contains("run of RefreshLoop \"\(waiting)\"")
            && $0.contains("in stop() of RefreshLoop \"\(awaited)\"")
        }, "\(cause)")
    }
    #expect(!cause.contains("\"0\""))
  }

  @Test("L5: a child task of a body that waits for the body's own loop is flagged, and does not wait")
  func childTask() throws {
    let misuses = MisuseLog()
    let relay = Guarded<RefreshLoop?>(nil)
    let loop = RefreshLoop(on: scheduler, misuse: misuses.handler) {
      let loop = relay.withLock { $0 }
      async let hasSettled = loop?.settle()
      #expect(await hasSettled == false)
    }
    _ = relay.exchange(loop)
    try scheduler.run {
      loop.request()
      #expect(await loop.settle())
    }
    #expect(misuses.kinds == [.waitedInsideRun])
    _ = relay.exchange(nil)
  }

  @Test("S4: a chain of waits that does not close is no cycle")
  func chain() throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let last = RefreshLoop(on: scheduler, label: "last") { for await _ in stream {} }
    let first = RefreshLoop(on: scheduler, label: "first") { await last.settle() }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        last.request()
        first.request()
        await first.settle()
      }
    }
    #expect(error?.likelyCauses.contains { $0.hasPrefix("loops that wait") } == false)
    #expect(error?.pending.filter { $0.kind == .wait }.count == 2)
    continuation.finish()
    scheduler.run()
  }

  @Test("S4: a task that outlives its run is part of no cycle, because the run has ended")
  func taskAfterRun() throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let other = TestScheduler()
    let second = RefreshLoop(on: scheduler, label: "second") { [loops] in await loops.all[0].settle() }
    let first = RefreshLoop(on: other, label: "first") {
      Task {
        for await _ in stream { break }
        await second.settle()
      }
    }
    loops.set([first])
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        first.request()
        other.run()
        // The first loop is now pending on a scheduler whose time does not move.
        first.request()
        second.request()
        continuation.yield()
        await second.settle()
      }
    }
    #expect(error?.likelyCauses.contains { $0.hasPrefix("loops that wait") } == false)
    #expect(error?.pending.contains { $0.description.contains("a run of RefreshLoop \"first\"") } == true)
    other.run()
    scheduler.run()
    loops.set([])
  }

  @Test("S4: the waits of a long chain of loops are searched once each")
  func parallelWaits() throws {
    let unhosted = RefreshLoop(on: scheduler, label: "unhosted")
    var loop = unhosted
    for _ in 0..<12 {
      loop = RefreshLoop(on: scheduler) { [inner = loop] in
        inner.request()
        await withTaskGroup { group in
          for _ in 0..<10 { group.addTask { await inner.settle() } }
        }
      }
    }
    let outermost = loop
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        outermost.request()
        await outermost.settle()
      }
    }
    let causes = try #require(error?.likelyCauses)
    #expect(!causes.contains { $0.contains("wait for each other") })
    #expect(causes.contains { $0.contains("\"unhosted\"") })
  }

  @Test("S4: a cycle of loops whose bodies are isolated to actors is found")
  func actors() throws {
    actor Service {
      private let label: String
      private(set) lazy var loop: RefreshLoop = RefreshLoop(on: .actor(self), label: label) { [weak self] in
        await self?.other?.settle()
      }
      private var other: RefreshLoop?
      init(_ label: String) { self.label = label }
      func wait(for other: RefreshLoop) { self.other = other }
    }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        let a = Service("a")
        let b = Service("b")
        await a.wait(for: b.loop)
        await b.wait(for: a.loop)
        await a.loop.request()
        await b.loop.request()
        await a.loop.settle()
      }
    }
    let cause = try #require(error?.likelyCauses.first)
    #expect(
      cause.hasPrefix("loops that wait for each other") && cause.contains("\"a\"") && cause.contains("\"b\""))
  }
}
