import Dispatch
import Foundation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport

extension MisuseScenario {
  func misuseBatch() {
    let scheduler = TestScheduler()
    switch self {
    case .batchLimitBelowOne:
      let log = Log()
      site(#line + 1)
      let loop = BatchLoop<Int>(on: scheduler, keeping: .oldest(0), label: "lines") { batch in
        log.add("\(Array(batch)) \(batch.droppedCount)")
      }
      loop.add(contentsOf: [1, 2])
      scheduler.run()
      require(log.entries == ["[1] 1"])
    case .batchFinishedInsideRun:
      misuseFinish(on: scheduler)
    case .batchSecondHost:
      site(#line + 1)
      let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, label: "lines")
      let host = Task(executorPreference: scheduler) { await loop.run { _ in } }
      scheduler.run()
      let second = Task(executorPreference: scheduler) { await loop.run { _ in } }
      scheduler.run()
      host.cancel()
      second.cancel()
      scheduler.run()
    default:
      misuseBatchMainActor()
    }
  }

  private func misuseFinish(on scheduler: TestScheduler) {
    let relay = Guarded<BatchLoop<Int>?>(nil)
    let log = Log()
    site(#line + 1)
    let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, label: "lines") { batch in
      relay.withLock { $0 }?.add(2)
      await relay.withLock { $0 }?.finish()
      log.add("\(Array(batch))")
    }
    _ = relay.exchange(loop)
    loop.add(1)
    scheduler.run()
    require(log.entries == ["[1]", "[2]"])
    _ = relay.exchange(nil)
  }

  /// Advances on the main thread, on which the receiver of an error has to run.
  private func misuseBatchMainActor() {
    struct Failure: Error {}
    let scheduler = TestScheduler()
    let hasRun = Flag()
    func advance() {
      site(#line + 1)
      let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, label: "lines") { _ in
        throw Failure()
      } onError: { @MainActor _, _ in
        hasRun.set()
      }
      loop.add(1)
      scheduler.advance()
      require(!hasRun.isSet)
    }
    if Thread.isMainThread { advance() } else { DispatchQueue.main.sync(execute: advance) }
  }
}
