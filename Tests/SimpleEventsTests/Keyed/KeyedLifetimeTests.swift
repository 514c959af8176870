import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E6, C7, S7: how a keyed callback ends, and how long keys live.
struct KeyedLifetimeTests {
  /// A key that is an object.
  private final class Key: Hashable, Sendable {
    let name: String
    private let canary: Shared<Canary?>

    init(_ name: String, _ onDeinit: @escaping () -> Void = {}) {
      self.name = name
      canary = Shared(Canary(onDeinit))
    }

    static func == (lhs: Key, rhs: Key) -> Bool { lhs.name == rhs.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private let scheduler = TestScheduler()
  private let log = Log()

  @Test("C7, E6: a deallocated callback delivers nothing, and keeps no timer", arguments: Policies.all)
  func deallocation(_ policy: CoalescingPolicy) {
    var callback: KeyedCallback<Int>? = KeyedCallback(on: scheduler, policy: policy) { [log] key in
      log.add("\(key)")
    }
    for key in 0..<3 { callback?.schedule(key) }
    weak let weakCallback = callback
    callback = nil
    #expect(weakCallback == nil)
    #expect(scheduler.pendingCount <= 1, "a turn that was asked for still comes")
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("E6: a block that releases the callback is the last block that is called", arguments: Policies.all)
  func releaseInBlock(_ policy: CoalescingPolicy) {
    var callback: KeyedCallback<Int>?
    let canary = Log()
    callback = KeyedCallback(on: scheduler, policy: policy) {
      [log, kept = Canary { canary.add("released") }] in
      log.add("\($0)")
      callback?.schedule(7)
      callback = nil
      #expect(canary.entries == [], "the block exists while it runs")
      withExtendedLifetime(kept) {}
    }
    for key in 0..<3 { callback?.schedule(key) }
    scheduler.run()
    #expect(log.entries == ["0"])
    #expect(canary.entries == ["released"])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("K2: a key is released when its window has ended", arguments: Policies.all)
  func keyRelease(_ policy: CoalescingPolicy) {
    let callback = KeyedCallback<Key>(on: scheduler, policy: policy) { [log] in log.add($0.name) }
    callback.schedule(Key("a") { [log] in log.add("released") })
    callback.schedule(Key("a"))
    scheduler.run()
    #expect(log.entries == ["a", "released"] || log.entries == ["a", "a", "released"])
  }

  @Test("K2: a key may use the callback when it is deallocated", arguments: Policies.all)
  func reentrantRelease(_ policy: CoalescingPolicy) {
    let callback = KeyedCallback<Key>(on: scheduler, policy: policy) { [log] in log.add($0.name) }
    let other = Key("other")
    /// A key whose deallocation calls the callback. The callback must not hold its lock at that time.
    func key(_ name: String) -> Key {
      Key(name) { [weak callback, log] in
        log.add("released \(name)")
        _ = callback?.pendingCount
        callback?.schedule(other)
      }
    }
    callback.schedule(key("turn"))
    scheduler.run()
    callback.schedule(key("flush"))
    callback.schedule(key("flush"))
    callback.flush(Key("flush"))
    callback.schedule(key("cancel"))
    callback.cancel(Key("cancel"))
    callback.schedule(key("all"))
    callback.cancelAll()
    callback.schedule(key("again"))
    callback.cancel(Key("again"))
    callback.schedule(key("again"))
    scheduler.run()
    let released = log.entries.filter { $0.hasPrefix("released") }
    #expect(released.count == 7)
    callback.cancelAll()
  }

  @Test("K2, H5: a key that a later signal forgets may use the callback when it is deallocated")
  func releaseBySignal() {
    let callback = KeyedCallback<Key>(
      on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading)
    ) { _ in }
    callback.schedule(
      Key("passed") { [weak callback, log] in
        _ = callback?.pendingCount
        log.add("released")
      })
    scheduler.advance(by: .milliseconds(11))
    #expect(log.entries == [], "the key is not forgotten yet")
    callback.schedule(Key("next"))
    #expect(log.entries == ["released"])
  }

  @Test("S7: keys whose turn or alarm is lost are dropped", arguments: Policies.all)
  func loss(_ policy: CoalescingPolicy) {
    let scheduler = ForgetfulScheduler()
    let callback = KeyedCallback<Int>(on: scheduler, policy: policy) { [log] in log.add("\($0)") }
    for _ in 0..<2 {
      for key in 0..<3 { callback.schedule(key) }
      #expect(callback.pendingCount == 3)
      scheduler.forget()
      #expect(callback.pendingCount == 0)
      #expect(callback.keys.entryCount == 0)
    }
    #expect(log.entries == [])
  }

  @Test("S7: a callback on a deallocated actor drops every request")
  func lostActor() {
    actor Owner {}
    var owner: Owner? = Owner()
    let callback = KeyedCallback<Int>(
      on: .actor(owner!, clock: scheduler), policy: .audit(.milliseconds(10))
    ) { [log] in
      log.add("\($0)")
    }
    callback.schedule(1)
    owner = nil
    scheduler.run()
    callback.schedule(2)
    scheduler.run()
    #expect(callback.pendingCount == 0)
    #expect(log.entries == [])
  }

  @Test("C7: a flush off the scheduler is flagged, and a flush from an unknown place is not")
  func flushOffScheduler() {
    let misuses = MisuseLog()
    let forgetful = KeyedCallback<Int>(on: ForgetfulScheduler(), label: "off", misuse: misuses.handler) {
      [log] in log.add("\($0)")
    }
    forgetful.schedule(1)
    forgetful.flush(1)
    forgetful.flushAll()
    #expect(log.entries == ["1"], "it delivers nevertheless")
    #expect(misuses.kinds == [.flushedOffScheduler, .flushedOffScheduler])
    #expect(misuses.messages[0].contains("KeyedCallback<Int> \"off\" was flushed off its scheduler"))
    let unknown = KeyedCallback<Int>(on: UnknownScheduler(base: scheduler), misuse: misuses.handler) {
      [log] in log.add("\($0)")
    }
    unknown.schedule(2)
    unknown.flush(2)
    #expect(log.entries == ["1", "2"])
    #expect(misuses.kinds.count == 2)
  }

  /// A scheduler that does not know whether a caller is on it.
  private struct UnknownScheduler: EventScheduler {
    let base: TestScheduler
    var now: EventInstant { base.now }
    let isCurrent: Bool = false
    let isKnownElsewhere: Bool = false

    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

    func schedule(
      at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork {
      base.schedule(at: deadline, tolerance: tolerance, work)
    }
  }
}
