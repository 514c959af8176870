import Synchronization

// The declarations of swift-service-lifecycle that the article "In a ServiceGroup" uses. The names, the
// signatures and the order in which services end are those of that package.

enum ServiceLifecycle {
  protocol Service: Sendable {
    func run() async throws
  }

  /// Calls a handler when the shutdown of the caller's service begins, on the thread that starts the
  /// shutdown.
  nonisolated(nonsending) static func withGracefulShutdownHandler<Result>(
    operation: () async throws -> Result, onGracefulShutdown handler: @escaping @Sendable () -> Void
  ) async rethrows -> Result {
    ServiceShutdown.current?.add(handler)
    return try await operation()
  }

  /// Waits until the shutdown begins.
  static func gracefulShutdown() async {
    let (shutdowns, shutdown) = AsyncStream.makeStream(of: Void.self)
    ServiceShutdown.current?.add { shutdown.finish() }
    for await _ in shutdowns {}
  }

  /// The handlers of one service.
  private final class ServiceShutdown: Sendable {
    @TaskLocal static var current: ServiceShutdown?

    /// The handlers; nil after the shutdown has begun.
    private let handlers: Mutex<[@Sendable () -> Void]?> = Mutex([])

    func add(_ handler: @escaping @Sendable () -> Void) {
      let isKept = handlers.withLock { handlers in
        handlers?.append(handler)
        return handlers != nil
      }
      if !isKept { handler() }
    }

    func begin() {
      let called = handlers.withLock { handlers in
        defer { handlers = nil }
        return handlers ?? []
      }
      for handler in called { handler() }
    }
  }

  /// Runs services until one of them throws, or until a shutdown has ended them one by one, the last first.
  final class ServiceGroup: Sendable {
    struct FinishedUnexpectedly: Error {}

    private let services: [any Service]
    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    init(services: [any Service]) {
      self.services = services
      (requests, request) = AsyncStream.makeStream()
    }

    func triggerGracefulShutdown() async { request.finish() }

    func run() async throws {
      let shutdowns = services.map { _ in ServiceShutdown() }
      try await withThrowingTaskGroup(of: Int?.self) { group in
        for (index, service) in services.enumerated() {
          group.addTask {
            try await ServiceShutdown.$current.withValue(shutdowns[index]) { try await service.run() }
            return index
          }
        }
        group.addTask { [requests] in
          for await _ in requests {}
          return nil
        }
        var running = Set(services.indices)
        var isShuttingDown = false
        // When an error leaves this function, the group cancels the other services and awaits them.
        while !running.isEmpty, let ended = try await group.next() {
          if let ended { running.remove(ended) } else { isShuttingDown = true }
          guard isShuttingDown || Task.isCancelled else { throw FinishedUnexpectedly() }
          if isShuttingDown, let last = running.max() { shutdowns[last].begin() }
        }
        group.cancelAll()
      }
    }
  }
}
