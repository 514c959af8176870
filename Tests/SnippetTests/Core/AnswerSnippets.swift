import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import Testing

/// The code of the documentation of `refresh()` and `process(_:)`.
struct AnswerSnippets {
  private struct Token {
    var isExpired: Bool
  }

  private actor Account {
    private(set) var requests: Int = 0
    private var token: Token?
    private let refreshes: RefreshLoop

    init(on scheduler: some EventScheduler) { refreshes = RefreshLoop(on: scheduler, whenBusy: .ignore) }

    func run() async { await refreshes.run { self.load() } }

    private func load() {
      requests += 1
      token = Token(isExpired: false)
    }

    func validToken() async throws -> Token? {
      if token?.isExpired != false { try await refreshes.refresh() }
      return token
    }
  }

  @Test("Documentation: all callers of one refresh receive its token")
  func token() throws {
    let scheduler = TestScheduler()
    try scheduler.run { () async throws in
      let account = Account(on: scheduler)
      let host = Task { await account.run() }
      async let first = account.validToken()
      async let second = account.validToken()
      #expect(try await first?.isExpired == false)
      #expect(try await second?.isExpired == false)
      #expect(await account.requests == 1)
      host.cancel()
    }
  }

  private actor Directory {
    private var names: [Int: String] = [:]
    private let loads: BatchLoop<Int>

    init(on scheduler: some EventScheduler) { loads = BatchLoop(on: scheduler, keeping: .distinct(1000)) }

    func run() async { await loads.run { self.load($0) } }

    private func load(_ users: ElementBatch<Int>) { for user in users { names[user] = "user \(user)" } }

    func name(of user: Int) async throws -> String? {
      try await loads.process(user)
      return names[user]
    }
  }

  @Test("Documentation: a caller receives the value that the batch of its key has loaded")
  func load() throws {
    let scheduler = TestScheduler()
    try scheduler.run { () async throws in
      let directory = Directory(on: scheduler)
      let host = Task { await directory.run() }
      async let first = directory.name(of: 1)
      async let second = directory.name(of: 2)
      #expect(try await first == "user 1")
      #expect(try await second == "user 2")
      host.cancel()
    }
  }
}
