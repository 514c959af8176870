import Dispatch
import SimpleEvents
import SimpleEventsLoops
import Synchronization
import TestSupport
import Testing

/// L2, L5, L7 and L8 on real queues: the service in the article *Refresh loops* is shut down while threads
/// request runs.
@Suite(.serialized) struct ServiceStressTests {
  @Test(
    "L2, L5, L7, L8: a service that is shut down loses no request, whether its runs succeed or fail",
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
        // Pending requests stay for the next host. The requests of a run that was cancelled are not repeated.
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

extension ServiceStressTests {
  @Test(
    "L1, L2, L7, L8: despite errors, cancels and new hosts each request is covered; a soak keeps memory flat"
  )
  func soak() async {
    let service = Service(failingEvery: 5)
    var generator = SeededGenerator(seed: 1)
    let end = DispatchQueue.main.now.advanced(by: .seconds(Stress.soakSeconds ?? 0.5))
    /// The limit of the heap in bytes; nil before it is set.
    var heap: Int?
    var requests = 0
    repeat {
      var host = Task { await service.run() }
      for _ in 0..<200 {
        for _ in 0..<Int.random(in: 0..<20, using: &generator) { service.change() }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: service.cancelRun()
        case 1: service.flush()
        case 2:
          host.cancel()
          await host.value
          host = Task { await service.run() }
        default: await Task.yield()
        }
      }
      // The requests of a run that was cancelled are not repeated.
      service.change()
      requests = service.written.load(ordering: .relaxed)
      #expect(await service.settle())
      #expect(await service.seen == requests)
      host.cancel()
      await host.value
      #if canImport(Glibc) && arch(x86_64)
        // Memory is checked only in a soak, which is alone in the process.
        if Stress.soakSeconds != nil && requests > 10_000 {
          let bytes = heapBytes()
          #expect(bytes < heap ?? bytes + 1_000_000, "after \(requests) requests")
          heap = heap ?? bytes + 1_000_000
        }
      #endif
    } while DispatchQueue.main.now < end
    #expect(await service.overlaps == 0)
    await service.finish()
    if Stress.soakSeconds != nil { print("\(requests) requests") }
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

  nonisolated func cancelRun() { loop.cancelRun() }

  nonisolated func flush() { loop.flush() }

  nonisolated func settle() async -> Bool { await loop.settle() }

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
