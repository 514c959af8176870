import Dispatch
import Foundation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport

extension MisuseScenario {
  /// Advances on the main thread, on which the body of a loop has to run.
  func misuseMainActor() {
    let scheduler = TestScheduler()
    let hasRun = Flag()
    func advance() {
      site(#line + 1)
      let loop = RefreshLoop(on: scheduler, label: "view") { @MainActor in hasRun.set() }
      loop.request()
      scheduler.advance()
      require(!hasRun.isSet)
    }
    if Thread.isMainThread { advance() } else { DispatchQueue.main.sync(execute: advance) }
  }

  func misuseLoop() {
    let scheduler = TestScheduler()
    let relay = Guarded<RefreshLoop?>(nil)
    let log = Log()
    let isStop = self == .stoppedInsideRun
    site(#line + 1)
    let loop = RefreshLoop(on: scheduler, label: "index") {
      guard let loop = relay.withLock({ $0 }) else { return }
      if isStop { await loop.stop() } else { await loop.settle() }
      log.add("ran")
    }
    _ = relay.exchange(loop)
    for _ in 0..<2 {
      loop.request()
      scheduler.run()
    }
    require(log.entries.count == (isStop ? 1 : 2))
    _ = relay.exchange(nil)
  }

  func misuseHost() {
    let scheduler = TestScheduler()
    site(#line + 1)
    let loop = RefreshLoop(on: scheduler, label: "index")
    let host = Task(executorPreference: scheduler) { await loop.run {} }
    scheduler.run()
    let second = Task(executorPreference: scheduler) { await loop.run {} }
    scheduler.run()
    host.cancel()
    second.cancel()
    scheduler.run()
  }

  func misuseRetry() {
    let scheduler = TestScheduler()
    guard case .retriesWithoutWait = self else {
      site(#line + 1)
      _ = RefreshLoop(on: scheduler, retry: .exponential(factor: .nan, initial: .zero), label: "index")
      return
    }
    let runs = Guarded(0)
    site(#line + 1)
    let loop = RefreshLoop(on: scheduler, retry: .constant(.zero), label: "index") {
      let count = runs.withLock {
        $0 += 1
        return $0
      }
      if count < 20_000 { throw CancellationError() }
    } onError: { _ in
    }
    loop.request()
    scheduler.run()
    require(runs.withLock { $0 } == 20_000)
  }
}
