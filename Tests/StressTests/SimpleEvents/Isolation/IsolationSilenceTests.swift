import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E9: a block that is called on its actor, or that has no actor, is not flagged.
@Suite(.serialized) struct IsolationSilenceTests {
  private let queue = DispatchQueue(label: "background")
  private let log = Log()
  private let misuses = MisuseLog()

  @Test("E9: a block of an actor that only starts a task is not flagged")
  func blockThatStartsTask() async {
    actor Model {
      private let log: Log
      private let refreshed: AsyncStream<Void>.Continuation
      private var token: (any SimpleEventToken)?

      init(_ log: Log, _ refreshed: AsyncStream<Void>.Continuation) {
        self.log = log
        self.refreshed = refreshed
      }

      func observe(_ event: any SimpleEventObservable & Sendable) {
        event.addObserver(&token) { [weak self] _ in Task { await self?.refresh() } }
      }

      private func refresh() {
        log.add("refreshed")
        refreshed.yield()
      }
    }
    let (refreshes, continuation) = AsyncStream.makeStream(of: Void.self)
    let event = LazySimpleEvent(on: queue, misuse: misuses.handler)
    let model = Model(log, continuation)
    await model.observe(event)
    event.trigger()
    var iterator = refreshes.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    #expect(log.entries == ["refreshed"])
    #expect(misuses.messages == [])
    withExtendedLifetime((model, event)) {}
  }

  @Test("E9: a block of an actor is not flagged on that actor, and is flagged off the actor")
  func actorBlock() async {
    actor Model {
      private let log: Log
      private var token: (any SimpleEventToken)?

      init(_ log: Log) {
        self.log = log
      }

      func observe(_ event: any SimpleEventObservable & Sendable) {
        event.addObserver(&token) { _ in self.note() }
      }

      func run(_ scheduler: TestScheduler) { scheduler.run() }

      func stop() { token = nil }

      private func note() { log.add("called") }
    }
    let scheduler = TestScheduler()
    let event = LazySimpleEvent(on: scheduler, misuse: misuses.handler)
    let model = Model(log)
    await model.observe(event)
    event.trigger()
    await model.run(scheduler)
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    event.trigger()
    scheduler.run()
    #expect(log.entries == ["called", "called"])
    #expect(misuses.kinds == (isDebug ? [.wrongIsolation] : []))
    await model.stop()
    withExtendedLifetime(event) {}
  }

  @Test("E9: a block of an actor whose executor has only checkIsolated() is not flagged")
  func checkingExecutor() async {
    actor Model {
      private let log: Log
      private let executor: CheckingExecutor
      private var token: (any SimpleEventToken)?

      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

      init(_ log: Log, on executor: CheckingExecutor) {
        self.log = log
        self.executor = executor
      }

      func observe(_ event: any SimpleEventObservable & Sendable) {
        event.addObserver(&token) { _ in self.note() }
      }

      func stop() { token = nil }

      private func note() { log.add("called") }
    }
    let executor = CheckingExecutor(queue)
    let model = Model(log, on: executor)
    let event = LazySimpleEvent(on: queue, misuse: misuses.handler)
    await model.observe(event)
    event.trigger()
    queue.sync {}
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    await model.stop()
    withExtendedLifetime(event) {}
  }

  @Test("E9: a main-actor block on a queue that targets the main queue is not flagged")
  func queueThatTargetsMain() async {
    let target = DispatchQueue(label: "targets main", target: .main)
    let event = LazySimpleEvent(on: target, misuse: misuses.handler)
    var token: (any SimpleEventToken)?
    await withCheckedContinuation { continuation in
      event.addObserver(&token) { @MainActor [log] _ in
        log.add("called")
        continuation.resume()
      }
      event.trigger()
    }
    token?.remove()
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    withExtendedLifetime(event) {}
  }

  @Test("E9: main-actor blocks of every kind are not flagged on the main queue")
  @MainActor
  func mainQueue() async {
    let source = SimpleEvent(misuse: misuses.handler)
    let lazy = LazySimpleEvent(on: .main, misuse: misuses.handler)
    let callback = CoalescingCallback(on: .main, misuse: misuses.handler) { @MainActor [log] in
      log.add("callback")
    }
    let group = SimpleEventGroupObserver(of: source, on: .main, misuse: misuses.handler) {
      @MainActor [log] _ in log.add("group")
    }
    let collector = CoalescingCollector<Int>(on: .main, keeping: .newest(1), misuse: misuses.handler) {
      @MainActor [log] _ in log.add("collector")
    }
    let tokens = [
      source.addObserver { @MainActor [log] _ in log.add("event") },
      lazy.addObserver { @MainActor [log] _ in log.add("lazy event") },
    ]
    callback.schedule()
    source.trigger()
    collector.add(1)
    lazy.trigger()
    await mainQueueTurn()
    #expect(log.entries == ["event", "callback", "group", "collector", "lazy event"])
    #expect(misuses.messages == [])
    withExtendedLifetime((lazy, callback, collector, tokens)) {}
    group.remove()
  }

  @Test("E9: a main-actor block that a test scheduler calls on the main actor is not flagged")
  @MainActor
  func testScheduler() {
    let scheduler = TestScheduler()
    let callback = CoalescingCallback(on: scheduler, misuse: misuses.handler) { @MainActor [log] in
      log.add("called")
    }
    callback.schedule()
    scheduler.run()
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    withExtendedLifetime(callback) {}
  }

  @Test("E9: a @Sendable block written in a main-actor function has no isolation and is not flagged")
  @MainActor
  func sendableBlock() {
    let callback = CoalescingCallback(on: queue, misuse: misuses.handler) { @Sendable [log] in
      log.add("called")
    }
    callback.schedule()
    queue.sync {}
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    withExtendedLifetime(callback) {}
  }

  @Test("E9: a block registered by nonisolated code is not flagged on any thread")
  func nonisolatedBlock() {
    let event = SimpleEvent(misuse: misuses.handler)
    let token = event.addObserver { [log] _ in log.add("called") }
    event.trigger()
    queue.sync { event.trigger() }
    #expect(log.entries == ["called", "called"])
    #expect(misuses.messages == [])
    token?.remove()
  }

  @Test("E9: a main-actor block of a type with the three classic methods is not flagged on the main actor")
  @MainActor
  func classicType() {
    let event = SimpleEvent(misuse: misuses.handler)
    let classic: any SimpleEventObservable = ClassicObservable(event)
    let token = classic.addObserver { @MainActor [log] _ in log.add("called") }
    event.trigger()
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    token?.remove()
  }
}
