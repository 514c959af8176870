import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// Deliveries on an actor, and the deallocation of the actor. The conformance suite tests S1 and S2.
@Suite(.serialized) struct ActorSchedulerTests {
  private let misuses = MisuseLog()

  /// An actor with one object of each kind that delivers on the actor.
  private actor Model {
    private let log: Log
    private let misuse: MisuseHandler
    private let deliveries: AsyncStream<Void>.Continuation
    private let source: SimpleEvent = SimpleEvent()
    private var event: LazySimpleEvent?
    private var token: (any SimpleEventToken)?
    private var callback: CoalescingCallback?
    private var collector: CoalescingCollector<Int>?
    private var group: SimpleEventGroupObserver?
    private var loop: RefreshLoop?

    init(_ log: Log, _ misuse: MisuseHandler, _ deliveries: AsyncStream<Void>.Continuation) {
      self.log = log
      self.misuse = misuse
      self.deliveries = deliveries
    }

    func start(_ policy: CoalescingPolicy) {
      let event = LazySimpleEvent(on: .actor(self), policy: policy, misuse: misuse)
      self.event = event
      token = event.addObserver { _ in self.note("event") }
      callback = CoalescingCallback(on: .actor(self), policy: policy, misuse: misuse) {
        self.note("callback")
      }
      collector = CoalescingCollector(on: .actor(self), policy: policy, keeping: .newest(9), misuse: misuse) {
        batch in self.note("collector \(Array(batch))")
      }
      group = SimpleEventGroupObserver(of: source, on: .actor(self), policy: policy, misuse: misuse) { _ in
        self.note("group")
      }
      loop = RefreshLoop(on: .actor(self), policy: policy, misuse: misuse) { self.note("loop") }
    }

    func fire() {
      for number in 1...2 {
        event?.trigger()
        callback?.schedule()
        collector?.add(number)
        source.trigger()
        loop?.request()
      }
    }

    func stop() async {
      (event, token, callback, collector, group) = (nil, nil, nil, nil, nil)
      await loop?.stop()
    }

    private func note(_ entry: String) {
      assertIsolated()
      log.add(entry)
      deliveries.yield()
    }
  }

  @Test(
    "E9: blocks and bodies of an actor are called on it, and not flagged",
    arguments: [CoalescingPolicy.nextTurn, .debounce(.milliseconds(1)), .throttle(.milliseconds(1))])
  func deliveries(_ policy: CoalescingPolicy) async {
    let log = Log()
    let (deliveries, continuation) = AsyncStream.makeStream(of: Void.self)
    let model = Model(log, misuses.handler, continuation)
    await model.start(policy)
    await model.fire()
    var iterator = deliveries.makeAsyncIterator()
    for _ in 0..<5 { await iterator.next() }
    #expect(log.entries.sorted() == ["callback", "collector [1, 2]", "event", "group", "loop"])
    #expect(misuses.messages == [])
    await model.stop()
  }

  @Test("E9: a block of another actor is flagged")
  func otherActor() async {
    let model = Plain()
    await withCheckedContinuation { continuation in
      let callback = Guarded<CoalescingCallback?>(nil)
      let made = CoalescingCallback(on: .actor(model), misuse: misuses.handler) { @MainActor in
        continuation.resume()
        _ = callback.exchange(nil)
      }
      _ = callback.exchange(made)
      made.schedule()
    }
    #expect(misuses.kinds == (isDebug ? [.wrongIsolation] : []))
    withExtendedLifetime(model) {}
  }

  @Test("ActorScheduler: isCurrent is true on the actor and false off it")
  func isCurrent() async {
    let model = Plain()
    let scheduler = ActorScheduler(model)
    #expect(await model.evaluate { scheduler.isCurrent })
    #expect(!scheduler.isCurrent)
    #expect(await !Plain().evaluate { scheduler.isCurrent })
  }

  @Test("ActorScheduler: an actor's event that delivers on the actor forms no cycle")
  func noCycle() async {
    weak var released: Model?
    let (_, continuation) = AsyncStream.makeStream(of: Void.self)
    do {
      let model = Model(Log(), misuses.handler, continuation)
      released = model
      await model.start(.debounce(.seconds(60)))
      await model.fire()
      // The blocks of the loop retain the actor.
      await model.stop()
    }
    #expect(released == nil)
  }

  @Test("ActorScheduler: work of a deallocated actor is released and not run")
  func deallocatedActor() async {
    let log = Log()
    var model: Plain? = Plain()
    let scheduler = ActorScheduler(model!)
    await withCheckedContinuation { continuation in
      let captured = Released { continuation.resume() }
      scheduler.schedule(at: scheduler.now.advanced(by: .milliseconds(5))) {
        log.add("deadline")
        withExtendedLifetime(captured) {}
      }
      model = nil
    }
    weak var captured: Released?
    do {
      let strong = Released {}
      captured = strong
      scheduler.schedule {
        log.add("turn")
        withExtendedLifetime(strong) {}
      }
    }
    #expect(captured == nil)
    #expect(log.entries == [])
    #expect(!scheduler.isCurrent, "S6")
    #expect(!scheduler.isKnownElsewhere, "S6")
  }

  @Test("S1: work that is scheduled on several threads runs in the order of each thread")
  func threads() async {
    let model = Plain()
    let scheduler = ActorScheduler(model)
    let log = Log()
    let rounds = Stress.rounds(5000)
    onThreads(2) { thread in
      for index in 0..<rounds { scheduler.schedule { log.add("\(thread) \(index)") } }
    }
    await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
    for thread in 0..<2 {
      #expect(log.entries.filter { $0.hasPrefix("\(thread) ") } == (0..<rounds).map { "\(thread) \($0)" })
    }
    withExtendedLifetime(model) {}
  }

  @Test("ActorScheduler: one job for all work reaches the actor's executor before schedule returns")
  func straightToExecutor() {
    actor Model {
      private let executor: ManualExecutor
      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
      init(_ executor: ManualExecutor) { self.executor = executor }
    }
    let executor = ManualExecutor()
    let model = Model(executor)
    let scheduler = ActorScheduler(model)
    let log = Log()
    for number in 1...3 {
      scheduler.schedule {
        log.add("\(number)")
        if number == 2 { scheduler.schedule { log.add("4") } }
      }
    }
    #expect(executor.count == 1)
    #expect(log.entries == [])
    executor.runAll()
    #expect(log.entries == ["1", "2", "3", "4"])
    withExtendedLifetime(model) {}
  }

  private actor Plain {
    func evaluate(_ body: @Sendable () -> Bool) -> Bool { body() }
  }

  /// An object that calls a closure when it is deallocated.
  private final class Released: Sendable {
    private let onDeinit: @Sendable () -> Void

    init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

    deinit { onDeinit() }
  }
}
