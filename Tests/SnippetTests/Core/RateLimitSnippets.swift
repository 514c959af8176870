import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

// The snippets of the article about rate limits and of the documentation of `RateLimiter`.

private let lines = Log()

private func print(_ line: String) { lines.add(line) }

private final class Warnings: Sendable {
  private let limiter: RateLimiter
  private let dropped = Atomic(0)
  let log: Log = Log()  // hidden

  init(on scheduler: some EventScheduler = .main) {
    limiter = RateLimiter(5, per: .seconds(1), burst: 20, on: scheduler)
  }

  func warn(_ text: String) {
    guard limiter.tryAcquire() else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    let count = dropped.exchange(0, ordering: .relaxed)
    write(count > 0 ? "\(text) (\(count) warnings dropped)" : text)
  }
}

extension Warnings {
  private func write(_ line: String) { log.add(line) }
}

private final class Client: Sendable {
  private let limiter: RateLimiter
  private let send: @Sendable (String) async throws -> String

  init(
    on scheduler: some EventScheduler = .main, send: @escaping @Sendable (String) async throws -> String
  ) {
    limiter = RateLimiter(10, per: .seconds(1), on: scheduler, label: "quota")
    self.send = send
  }

  func get(_ path: String) async throws -> String {
    try await limiter.acquire()
    return try await send(path)
  }
}

@Suite(.serialized) struct RateLimitSnippets {
  private let scheduler: TestScheduler = TestScheduler()

  @Test("Documentation: a progress line is printed at most every 100 ms, and at the end")
  func progress() {
    func copy(_ file: String) { scheduler.advance(by: .milliseconds(40)) }
    func copyAll(_ files: [String], on scheduler: some EventScheduler = .main) {
      let limiter = RateLimiter(every: .milliseconds(100), on: scheduler)
      for (index, file) in files.enumerated() {
        copy(file)
        if limiter.tryAcquire() { print("\(index + 1) of \(files.count) files") }
      }
      print("\(files.count) files")
    }

    let before = lines.entries.count
    copyAll(["a", "b", "c", "d", "e"], on: scheduler)
    #expect(lines.entries.dropFirst(before) == ["1 of 5 files", "4 of 5 files", "5 files"])
  }

  @Test("Documentation: a limiter of the main queue admits the first call")
  func reference() {
    let files = ["a", "b", "c"]
    func copy(_ file: String) {}
    let before = lines.entries.count

    let limiter = RateLimiter(every: .milliseconds(100))
    for (index, file) in files.enumerated() {
      copy(file)
      if limiter.tryAcquire() { print("\(index) of \(files.count) files") }
    }

    #expect(lines.entries.dropFirst(before).first == "0 of 3 files")
  }

  @Test("Documentation: a burst of five is admitted at the same time")
  func burst() {
    func admissions() -> Int {
      let limiter = RateLimiter(10, per: .seconds(1), burst: 5)

      return (0..<5).count { _ in limiter.tryAcquire() }
    }
    #expect(admissions() == 5)
  }

  @Test("Documentation: a logger drops warnings above the rate, and reports their number")
  func warnings() {
    let warnings = Warnings(on: scheduler)
    for _ in 0..<30 { warnings.warn("slow") }
    scheduler.advance(by: .milliseconds(200))
    warnings.warn("slower")
    #expect(warnings.log.entries == Array(repeating: "slow", count: 20) + ["slower (10 warnings dropped)"])
  }

  private struct Request {}
  private struct Response {}
  private struct Connection {
    func send(_ request: Request) async throws -> Response { Response() }
  }

  @Test("Documentation: a request waits for its admission")
  func acquire() throws {
    let limiter = RateLimiter(every: .seconds(1), on: scheduler)
    let connection = Connection()
    func send(_ request: Request) async throws -> Response {
      try await limiter.acquire()
      return try await connection.send(request)
    }
    try scheduler.run {
      for _ in 0..<3 { _ = try await send(Request()) }
    }
    #expect(scheduler.elapsed == .seconds(2))
  }

  @Test func keepsTheQuota() throws {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(on: scheduler)
    let client = Client(on: scheduler) { path in
      recorder.record()
      return path
    }
    try scheduler.run {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { _ = try await client.get("/users") } }
        try await group.waitForAll()
      }
    }
    #expect(recorder.times == [.zero, .milliseconds(100), .milliseconds(200), .milliseconds(300)])
  }
}
