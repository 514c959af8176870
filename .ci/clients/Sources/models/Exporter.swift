import SimpleEvents
import SimpleEventsLoops

/// A service of a server. The server owns it by a task that calls `run()`.
///
/// It ends when the task is cancelled. With `finish()` it ends gracefully, after a last export. An export
/// that fails ends it with the error.
actor Exporter {
  struct DiskIsFull: Error {}

  private let loop = RefreshLoop(label: "exporter")
  private(set) var exports = 0
  var isDiskFull = false
  nonisolated let didExport = SimpleMailbox<Int>(event: LazySimpleEvent())

  nonisolated func changed() { loop.request() }

  func run() async throws {
    try await loop.run {
      try await self.export()
    }
  }

  nonisolated func finish() async { await loop.finish() }

  func fillDisk() { isDiskFull = true }

  private func export() async throws {
    guard !isDiskFull else { throw DiskIsFull() }
    exports += 1
    didExport.replace(exports)
  }
}

@MainActor
func showExporter() async {
  // A server that shuts down by cancellation.
  let cancelled = Exporter()
  let first = Task { try await cancelled.run() }
  cancelled.changed()
  _ = await cancelled.didExport.next()
  first.cancel()
  try? await first.value
  print("cancelled service:", await cancelled.exports, "export")

  // One that shuts down gracefully, with a change that has not been exported.
  let graceful = Exporter()
  let second = Task { try await graceful.run() }
  graceful.changed()
  await graceful.finish()
  try? await second.value
  print("graceful service:", await graceful.exports, "export")

  let failing = Exporter()
  await failing.fillDisk()
  failing.changed()
  do {
    try await failing.run()
  } catch {
    print("failing service:", error)
  }
}
