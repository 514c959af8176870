import SimpleEvents
import SimpleEventsLoops

// The snippets of the article "Recipes for loops" in which callers wait for an answer. A line that ends in
// "hidden" is not part of the text.

actor TokenSource {
  private var token = ""
  private let fetch: @Sendable () async throws -> String
  private let scheduler: any EventScheduler
  private lazy var refreshes = RefreshLoop(on: scheduler, whenBusy: .ignore, label: "token") { [weak self] in
    try await self?.refresh()
  } onError: { _ in  // the callers receive it
  }

  init(on scheduler: some EventScheduler = .main, fetch: @escaping @Sendable () async throws -> String) {
    self.scheduler = scheduler
    self.fetch = fetch
  }

  /// Returns a token that differs from the one that a server has rejected.
  func token(otherThan rejected: String = "") async throws -> String {
    if token == rejected { try await refreshes.refresh() }
    return token
  }

  private func refresh() async throws { token = try await fetch() }
  var loop: RefreshLoop { refreshes }  // hidden
}

actor CredentialCache {
  typealias Fetch = @Sendable () async throws -> (secret: String, lifetime: Duration)
  private var current: (secret: String, end: EventInstant)?
  private let fetch: Fetch
  private let scheduler: any EventScheduler
  private lazy var loads = RefreshLoop(on: scheduler, whenBusy: .ignore, label: "secret") { [weak self] in
    try await self?.load()
  } onError: { error in
    print("The secret is not renewed: \(error)")
  }

  init(on scheduler: some EventScheduler = .main, fetch: @escaping Fetch) {
    self.scheduler = scheduler
    self.fetch = fetch
  }

  func secret() async throws -> String {
    if let (secret, end) = current, scheduler.now < end {
      if scheduler.now.advanced(by: .seconds(60)) >= end { loads.request() }  // does not wait
      return secret
    }
    try await loads.refresh()
    guard let current else { throw CancellationError() }
    return current.secret
  }

  private func load() async throws {
    let start = scheduler.now
    let (secret, lifetime) = try await fetch()
    current = (secret, start.advanced(by: lifetime))
  }
  var loop: RefreshLoop { loads }  // hidden
}

actor UserLoader {
  private var names: [Int: String] = [:]
  private let fetch: @Sendable ([Int]) async throws -> [Int: String]
  private let scheduler: any EventScheduler
  private lazy var loads = BatchLoop<Int>(
    on: scheduler, policy: .audit(.milliseconds(5)), keeping: .distinct(10_000), label: "users"
  ) { [weak self] ids in
    try await self?.load(Array(ids))
  } onError: { _, _ in  // the callers receive the error
  }

  init(
    on scheduler: some EventScheduler = .main,
    fetch: @escaping @Sendable ([Int]) async throws -> [Int: String]
  ) {
    self.scheduler = scheduler
    self.fetch = fetch
  }

  func name(of id: Int) async throws -> String? {
    if names[id] == nil { try await loads.process(id) }
    return names[id]
  }

  private func load(_ ids: [Int]) async throws {
    let missing = ids.filter { names[$0] == nil }  // the previous batch may have loaded an id
    if !missing.isEmpty { names.merge(try await fetch(missing)) { $1 } }
  }
  var loop: BatchLoop<Int> { loads }  // hidden
}
