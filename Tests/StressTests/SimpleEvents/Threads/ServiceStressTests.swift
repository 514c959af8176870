import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// L2, L5, L7 and L8 on real queues: the service of *Refresh loops* is shut down while threads ask for runs.
@Suite(.serialized) struct ServiceStressTests {
  @Test(
    "L2, L5, L7, L8: a service that is shut down loses no request, on success and while failing",
    arguments: [false, true], [false, true])
  func shutDown(isCancelled: Bool, fails: Bool) async {
    for trial in 0..<200 {
      let service = Service(failingEvery: fails ? 3 : .max)
      let host = Task { await service.run() }
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<trial % 20 {
              service.change()
              if trial % 3 == 0 { await Task.yield() }
            }
          }
        }
      }
      if isCancelled {
        host.cancel()
        await host.value
        // What is pending stays for the next host. A run that was cancelled has seen its requests.
        service.change()
        let successor = Task { await service.run() }
        await service.finish()
        await successor.value
      } else {
        await service.finish()
        await host.value
      }
      #expect(await service.seen == service.written.load(ordering: .relaxed), "trial \(trial)")
      #expect(await service.overlaps == 0)
    }
  }
}

private actor Service {
  private struct Failure: Error {}

  nonisolated let written: Atomic<Int> = Atomic(0)
  private nonisolated let loop: RefreshLoop = RefreshLoop(
    on: DispatchQueue.global(), policy: .debounce(.microseconds(20), maxWait: .microseconds(100)),
    retry: .constant(.microseconds(50)))
  private let period: Int
  private(set) var seen: Int = 0
  private(set) var overlaps: Int = 0
  private var runs: Int = 0
  private var isInside: Bool = false

  init(failingEvery period: Int) { self.period = period }

  nonisolated func change() {
    written.wrappingAdd(1, ordering: .relaxed)
    loop.request()
  }

  func run() async {
    await loop.run {
      try await self.refresh()
    } onError: { _ in
    }
  }

  nonisolated func finish() async { await loop.finish() }

  private func refresh() async throws {
    if isInside { overlaps += 1 }
    isInside = true
    defer { isInside = false }
    runs += 1
    seen = written.load(ordering: .relaxed)
    for _ in 0..<runs % 4 { await Task.yield() }
    if runs % period == 0 { throw Failure() }
  }
}
