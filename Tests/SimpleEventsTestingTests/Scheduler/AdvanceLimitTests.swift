import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// S3, C11: an advance ends after as many entries as its limit allows. Debug builds name the objects that
/// caused the entries.
struct AdvanceLimitTests {
  private let misuses: MisuseLog
  private let scheduler: TestScheduler

  init() {
    let misuses = MisuseLog()
    self.misuses = misuses
    scheduler = TestScheduler(label: "clock", misuse: misuses.handler)
  }

  /// Triggers an event from its own observer, and counts the notifications.
  private func echo(_ event: LazySimpleEvent, _ log: Log) -> (any SimpleEventToken)? {
    event.trigger()
    return event.addObserver { [weak event] _ in
      log.add("echo")
      event?.trigger()
    }
  }

  /// Expects one misuse that names exactly the objects of these lines, in this order. A release build names
  /// none.
  private func expectNames(_ lines: [UInt], sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(misuses.kinds == [.advanceLimitReached], sourceLocation: sourceLocation)
    guard isDebug else { return }
    let misuse = try #require(misuses.all.first, sourceLocation: sourceLocation)
    #expect(misuse.line == lines[0], sourceLocation: sourceLocation)
    // The last place in the message is the place of the scheduler.
    let places = misuse.message.split(
      separator: "created at SimpleEventsTestingTests/AdvanceLimitTests.swift:")
    #expect(
      places.dropFirst().dropLast().compactMap { UInt($0.prefix(while: \.isNumber)) } == lines,
      "\(misuse.message)", sourceLocation: sourceLocation)
  }

  @Test("C11: feedback ends at the limit of an advance, the event is named, and time stays")
  func feedback() throws {
    let log = Log()
    let event = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(10)), label: "echo")
    let line: UInt = #line - 1
    let token = echo(event, log)
    scheduler.advance(by: .seconds(1), limit: 20)
    #expect(log.entries.count >= 10)
    #expect(scheduler.milliseconds == 10 * log.entries.count)
    #expect(event.isPending)
    try expectNames([line])
    #expect(!isDebug || misuses.messages.first?.contains("LazySimpleEvent \"echo\"") == true)
    token?.remove()
  }

  @Test(
    "C11: the limit of an advance is 1,000,000 entries unless the caller says otherwise",
    .enabled(if: !isDebug, "a debug build takes seconds"))
  func defaultLimit() {
    scheduler.repeatForever()
    scheduler.advance()
    scheduler.advance(to: .ms(5))
    #expect(scheduler.milliseconds == 0)
    #expect(misuses.kinds == [.advanceLimitReached, .advanceLimitReached])
    #expect(misuses.messages.allSatisfy { $0.contains("has run 1000000 entries") })
  }

  @Test("C11: objects that signal each other are all named, and a pending object beside them is not")
  func ring() throws {
    let names = ["a", "b", "c"]
    let line: UInt = #line + 1
    let events = names.map { [scheduler] in LazySimpleEvent(on: scheduler, label: $0) }
    let bystander = LazySimpleEvent(on: scheduler, policy: .debounce(.seconds(9)), label: "bystander")
    let tokens = events.indices.map { index in
      events[index].addObserver { _ in events[(index + 1) % events.count].trigger() }
    }
    scheduler.schedule { bystander.trigger() }
    events[0].trigger()
    scheduler.advance(limit: 100)
    try expectNames([line, line, line])
    for name in names {
      #expect(!isDebug || misuses.messages.first?.contains("LazySimpleEvent \"\(name)\"") == true)
    }
    #expect(misuses.messages.first?.contains("bystander") == false)
    for token in tokens { token?.remove() }
  }

  @Test("C11: a loop whose body requests its own next run is named")
  func loop() throws {
    let relay = Guarded<RefreshLoop?>(nil)
    let line: UInt = #line + 1
    let loop = RefreshLoop(on: scheduler, label: "index") { relay.withLock { $0 }?.request() }
    _ = relay.exchange(loop)
    loop.request()
    scheduler.advance(by: .seconds(1), limit: 100)
    try expectNames([line])
    #expect(!isDebug || misuses.messages.first?.contains("RefreshLoop \"index\"") == true)
    _ = relay.exchange(nil)
  }

  @Test("C11: collectors, callbacks, proxies and group observers are named with their own types and lines")
  func types() throws {
    let source = SimpleEvent()
    let first: UInt = #line + 1
    let callback = CoalescingCallback(on: scheduler) { source.trigger() }
    let group = SimpleEventGroupObserver(of: source, on: scheduler) { _ in callback.schedule() }
    let proxy = SimpleEventProxy(of: source, on: scheduler)
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(1)) { _ in }
    let token = source.addObserver { _ in collector.add(1) }
    scheduler.schedule { callback.schedule() }
    scheduler.advance(limit: 100)
    try expectNames([first, first + 1, first + 2, first + 3])
    for type in [
      "CoalescingCallback", "SimpleEventGroupObserver", "SimpleEventProxy", "CoalescingCollector<Int>",
    ] {
      #expect(
        !isDebug || misuses.messages.first?.contains("\(type), created at") == true, "\(misuses.messages)")
    }
    token?.remove()
    group.remove()
    proxy.remove()
  }

  @Test("C11: jobs of tasks count as well, and the message says that they are due")
  func jobs() {
    let isOver = Flag()
    Task(executorPreference: scheduler) {
      while !isOver.isSet { await Task.yield() }
    }
    scheduler.advance(limit: 50)
    #expect(misuses.kinds == [.advanceLimitReached])
    #expect(misuses.messages.first?.contains("jobs of tasks") == true)
    isOver.set()
    scheduler.advance()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("C11: endless work after the body of a run is flagged at the limit")
  func afterRun() throws {
    let event = LazySimpleEvent(on: scheduler, label: "echo")
    let token = event.addObserver { event in (event as? LazySimpleEvent)?.trigger() }
    try scheduler.run(limit: 100) { event.trigger() }
    #expect(misuses.kinds == [.advanceLimitReached])
    #expect(misuses.messages.first?.contains("has run 100 entries in one advance or run") == true)
    token?.remove()
  }

  @Test("C11: a run on the main actor flags due work that is left after its body")
  @MainActor func afterRunOnMain() async throws {
    let event = LazySimpleEvent(on: scheduler, label: "echo")
    let token = event.addObserver { event in (event as? LazySimpleEvent)?.trigger() }
    try await scheduler.runOnMain(limit: 100) { event.trigger() }
    #expect(misuses.kinds == [.advanceLimitReached])
    token?.remove()
  }

  @Test("S4: a run on the main actor returns if its body ends with the last allowed entry")
  @MainActor func exactLimitOnMain() async throws {
    // The sleep, the return from it and the end of the body are an entry each.
    try await scheduler.runOnMain(limit: 3) { try await scheduler.clock.sleep(for: .seconds(1)) }
    await #expect(throws: TestScheduler.StuckError.self) {
      try await scheduler.runOnMain(limit: 1) { try await scheduler.clock.sleep(for: .seconds(1)) }
    }
    #expect(misuses.kinds == [])
  }

  @Test("S3: an advance that needs exactly its limit is not flagged, and time moves to its end")
  func exactLimit() {
    for _ in 0..<3 { scheduler.at(1) {} }
    scheduler.at(2) {}
    scheduler.advance(to: .ms(1), limit: 3)
    #expect(scheduler.milliseconds == 1)
    #expect(scheduler.pendingCount == 1)
    #expect(misuses.kinds == [])
  }

  @Test(
    "S3: a limit of zero or less runs nothing, and moves time if nothing is due", arguments: [0, -1, .min])
  func noLimit(_ limit: Int) {
    let log = Log()
    scheduler.at(3) { log.add("work") }
    scheduler.advance(by: .milliseconds(2), limit: limit)
    #expect(scheduler.milliseconds == 2)
    #expect(misuses.kinds == [])
    scheduler.advance(by: .milliseconds(2), limit: limit)
    #expect(scheduler.milliseconds == 2)
    #expect(scheduler.run(limit: limit) == 0)
    #expect(log.entries == [])
    #expect(misuses.kinds == [.advanceLimitReached])
    #expect(misuses.messages.first?.contains("has run 0 entries") == true)
    scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == ["work"])
  }

  @Test("C11: the requests of an earlier advance do not count")
  func earlierAdvance() throws {
    let old = LazySimpleEvent(on: scheduler, label: "old")
    for _ in 0..<1000 {
      scheduler.schedule { old.trigger() }
      scheduler.advance()
    }
    let log = Log()
    let event = LazySimpleEvent(on: scheduler, label: "echo")
    let line: UInt = #line - 1
    let token = echo(event, log)
    scheduler.schedule { old.trigger() }
    scheduler.advance(limit: 20)
    try expectNames([line])
    token?.remove()
  }

  @Test("C11: the limit of runOnMain names the objects that deliver again and again", .enabled(if: isDebug))
  @MainActor func onMain() async throws {
    let log = Log()
    let event = LazySimpleEvent(on: scheduler, label: "echo")
    let token = echo(event, log)
    var causes: [String] = []
    do {
      try await scheduler.runOnMain(limit: 100) { try await scheduler.clock.sleep(for: .seconds(1)) }
    } catch let error as TestScheduler.StuckError {
      causes = error.likelyCauses
    }
    #expect(causes.first?.contains("\"echo\"") == true)
    token?.remove()
  }

  @Test("C11: an object that delivers once beside other work is not named")
  func innocent() throws {
    let innocent = LazySimpleEvent(on: scheduler, label: "innocent")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run(limit: 1000) {
        innocent.trigger()
        while !Task.isCancelled { await Task.yield() }
      }
    }
    #expect(try #require(error).likelyCauses.allSatisfy { !$0.contains("innocent") })
  }

  @Test("C11: a run flags its limit when its thread no longer drives")
  func flaggedAfterDriving() throws {
    let log = Log()
    let driven = Shared<TestScheduler?>(nil)
    let scheduler = TestScheduler(
      misuse: .report { misuse in
        log.add("\(misuse.kind)")
        let scheduler = driven.value
        driven.value = nil
        scheduler?.advance(limit: 0)
      })
    driven.value = scheduler
    let event = LazySimpleEvent(on: scheduler)
    let token = echo(event, log)
    try scheduler.run(limit: 100) {}
    #expect(!log.entries.contains("\(Misuse.Kind.nestedAdvance)"))
    #expect(log.entries.contains("\(Misuse.Kind.advanceLimitReached)"))
    token?.remove()
  }
}

extension TestScheduler {
  /// Schedules work that always schedules itself again.
  fileprivate func repeatForever() {
    schedule { [self] in repeatForever() }
  }
}
