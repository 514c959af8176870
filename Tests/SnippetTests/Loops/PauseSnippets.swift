import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The recipe "Pause and resume" of the article "Recipes for loops".

actor Synchronizer {
  private let changes: BatchLoop<String>
  private let send: @Sendable ([String]) async throws -> Void
  private var host: Task<Void, Never>?

  init(on scheduler: some EventScheduler = .main, send: @escaping @Sendable ([String]) async throws -> Void) {
    changes = BatchLoop(on: scheduler, policy: .audit(.seconds(1)), keeping: .newest(1000), label: "changes")
    self.send = send
  }

  nonisolated func add(_ change: String) { changes.add(change) }

  func pause() { host?.cancel() }

  func resume() {
    pause()
    host = Task { [host] in
      await host?.value  // one host at a time
      await changes.run { [send] batch in
        try await send(Array(batch))
      } onError: { error, batch in
        print("\(batch.count) changes are not sent: \(error)")
      }
    }
  }

  func finish() async {
    changes.close()
    await host?.value  // the last batch, if the loop is not paused
    await changes.stop()  // discards the changes of a paused loop
  }
}

@MainActor
final class Dashboard {
  private let queue = DispatchQueue(label: "dashboard", target: .main)
  private let didChange: SimpleEventProxy
  private var token: (any SimpleEventToken)?
  private var isPaused = false

  init(of event: any SimpleEventObservable & Sendable, show: @escaping @MainActor () -> Void) {
    didChange = SimpleEventProxy(of: event, on: queue)
    didChange.addObserver(&token) { _ in show() }
  }

  func pause() {
    if !isPaused { queue.suspend() }
    isPaused = true
  }

  func resume() {
    if isPaused { queue.resume() }
    isPaused = false
  }

  isolated deinit { resume() }  // the release of a suspended queue stops the process
}

struct PauseSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  private func synchronizer() -> Synchronizer {
    Synchronizer(on: scheduler) { [log, scheduler] changes in
      log.add("\(changes) at \(scheduler.milliseconds)")
      try await scheduler.clock.sleep(for: .seconds(2))
      log.add("sent at \(scheduler.milliseconds)")
    }
  }

  @Test("Documentation: a paused loop keeps its elements, and repeats the batch that the pause cancelled")
  func hosts() throws {
    try scheduler.run { [scheduler] in
      let synchronizer = synchronizer()
      synchronizer.add("a")
      try await scheduler.clock.sleep(for: .seconds(5))
      await synchronizer.resume()
      try await scheduler.clock.sleep(for: .seconds(1))
      await synchronizer.pause()
      synchronizer.add("b")
      try await scheduler.clock.sleep(for: .seconds(10))
      await synchronizer.resume()
      await synchronizer.resume()
      try await scheduler.clock.sleep(for: .seconds(10))
      synchronizer.add("c")
      await synchronizer.finish()
    }
    #expect(
      log.entries == [
        #"["a"] at 5000"#, #"["a", "b"] at 16000"#, "sent at 18000", #"["c"] at 26000"#, "sent at 28000",
      ])
  }

  @Test("Documentation: the end of a paused loop does not wait", arguments: [true, false])
  func end(isPaused: Bool) throws {
    try scheduler.run {
      let synchronizer = synchronizer()
      await synchronizer.resume()
      if isPaused { await synchronizer.pause() }
      synchronizer.add("a")
      await synchronizer.finish()
    }
    #expect(log.entries == (isPaused ? [] : [#"["a"] at 0"#, "sent at 2000"]))
  }

  @MainActor
  @Test("Documentation: an object on a suspended queue notifies once when the queue is resumed")
  func queue() async {
    let shows = SimpleMailbox<Int>()
    var count = 0
    let event = LazySimpleEvent(on: .main)
    let dashboard = Dashboard(of: event) {
      count += 1
      shows.replace(count)
    }
    event.trigger()
    #expect(await shows.next() == 1)
    dashboard.pause()
    for _ in 0..<3 {
      event.trigger()
      await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
    }
    #expect(count == 1)
    dashboard.resume()
    #expect(await shows.next() == 2)
    dashboard.pause()  // its deallocation resumes the queue
    event.trigger()
  }
}
