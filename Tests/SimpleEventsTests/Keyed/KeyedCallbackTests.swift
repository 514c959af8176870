import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// K1 and C1 to C8 for a keyed callback: the order of keys, and calls from inside the block.
struct KeyedCallbackTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  /// Returns a callback whose block records the key and the instant. The block then runs the action for the
  /// key, once.
  private func callback(
    _ policy: CoalescingPolicy = .nextTurn, _ actions: [String: (KeyedCallback<String>) -> Void] = [:]
  ) -> KeyedCallback<String> {
    let reference = Weak()
    var actions = actions
    let callback = KeyedCallback<String>(on: scheduler, policy: policy) { [scheduler, log] key in
      log.add("\(key) \(scheduler.milliseconds)")
      if let callback = reference.callback { actions.removeValue(forKey: key)?(callback) }
    }
    reference.callback = callback
    return callback
  }

  private final class Weak {
    weak var callback: KeyedCallback<String>?
  }

  /// The policies under which a request becomes due on the next turn.
  static let leadingPolicies = Policies.all.filter { $0 == .nextTurn || $0.edges.contains(.leading) }

  @Test("K1: keys that are due on a turn run in the order of their requests", arguments: leadingPolicies)
  func orderOnTurn(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for key in ["c", "a", "b", "a", "c"] { callback.schedule(key) }
    #expect(callback.pendingCount == 3)
    scheduler.advance()
    #expect(log.entries == ["c 0", "a 0", "b 0"])
    #expect(callback.pendingCount == 0)
  }

  @Test("K1, C10: keys are called in the order of their deadlines, also when the timer is late")
  func orderOfDeadlines() {
    let callback = KeyedCallback<String>(
      on: UnsteadyScheduler.late(scheduler, by: .milliseconds(50)), policy: .debounce(.milliseconds(10))
    ) { [scheduler, log] key in
      log.add("\(key) \(scheduler.milliseconds)")
    }
    for (time, key) in [(0, "a"), (1, "b"), (2, "c"), (5, "a"), (6, "d")] {
      scheduler.at(time) { callback.schedule(key) }
    }
    scheduler.run()
    #expect(log.entries == ["b 60", "c 60", "a 60", "d 60"])
  }

  @Test("K1: each key has its own debounce")
  func debounceTimeline() {
    expectKeyedTimeline(
      """
      aba-b--b-----a
      -----a----b-----a
      """, by: .debounce(.milliseconds(3)))
  }

  @Test("K1: each key has its own throttle")
  func throttleTimeline() {
    expectKeyedTimeline(
      """
      ab-aabb----a--b
      ab--ab---b-a--b
      """, by: .throttle(.milliseconds(4)))
  }

  /// Expects the deliveries of a callback. The marks are the keys of the requests.
  private func expectKeyedTimeline(
    _ drawing: String, by policy: CoalescingPolicy, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectTimeline(drawing, sourceLocation: sourceLocation) { events in
      let scheduler = TestScheduler()
      let marbles = MarbleLog(on: scheduler)
      let callback = KeyedCallback<Character>(on: scheduler, policy: policy) { marbles.add($0) }
      for mark in events.marks { scheduler.at(mark.column) { callback.schedule(mark.symbol) } }
      scheduler.run()
      withExtendedLifetime(callback) {}
      return marbles.marbles
    }
  }

  @Test("C1: a request from a run is answered on the next turn, unless its key is due on the current one")
  func requestsInRun() {
    let callback = callback(
      .nextTurn,
      [
        "b": { callback in for key in ["a", "b", "c", "d"] { callback.schedule(key) } }
      ])
    for key in ["a", "b", "c"] { callback.schedule(key) }
    scheduler.schedule { [log] in log.add("other") }
    scheduler.advance()
    #expect(log.entries == ["a 0", "b 0", "c 0", "other", "a 0", "b 0", "d 0"])
  }

  @Test("E6, C7: a key that the run of another key cancels does not run", arguments: Policies.all)
  func cancelInRun(_ policy: CoalescingPolicy) {
    let callback = callback(policy, ["a": { $0.cancel("b") }])
    for key in ["a", "b", "c"] { callback.schedule(key) }
    scheduler.run()
    #expect(log.entries.map { $0.prefix(1) } == ["a", "c"])
    #expect(callback.pendingCount == 0)
  }

  @Test("E6, C7: after cancelAll in a run, no key runs for an earlier request", arguments: Policies.all)
  func cancelAllInRun(_ policy: CoalescingPolicy) {
    let callback = callback(
      policy,
      [
        "a": { callback in
          callback.cancelAll()
          #expect(callback.pendingCount == 0)
          callback.schedule("d")
        }
      ])
    for key in ["a", "b", "c"] { callback.schedule(key) }
    scheduler.schedule { [log] in log.add("other") }
    scheduler.run()
    #expect(log.entries.map { $0.prefix(1) }.filter { $0 != "o" } == ["a", "d"])
    if policy == .nextTurn {
      #expect(log.entries == ["a 0", "other", "d 0"], "d is requested during the turn")
    }
  }

  @Test("C7: flush runs one key now and closes its window", arguments: Policies.all)
  func flush(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    callback.flush("a")
    for key in ["a", "b"] { callback.schedule(key) }
    callback.flush("b")
    #expect(log.entries == ["b 0"])
    #expect(!callback.isPending("b"))
    #expect(callback.isPending("a"))
    callback.flush("b")
    callback.schedule("b")
    #expect(callback.isPending("b"), "the window is closed, so the request opens another one")
    scheduler.run()
    #expect(log.entries.count == 3)
  }

  @Test("C7: flushAll runs all keys now, in the order of their deadlines", arguments: Policies.all)
  func flushAll(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for (time, key) in [(0, "a"), (1, "b"), (2, "c"), (5, "a")] {
      scheduler.at(time) { callback.schedule(key) }
    }
    scheduler.advance(toMilliseconds: 1)
    let early = log.entries.count
    scheduler.at(5) { callback.flushAll() }
    scheduler.advance(toMilliseconds: 5)
    #expect(callback.pendingCount == 0)
    switch policy {
    case .debounce(.milliseconds(10)): #expect(log.entries == ["b 5", "c 5", "a 5"])
    case .audit(.milliseconds(10)), .throttle(.milliseconds(10), edges: .trailing):
      #expect(log.entries == ["a 5", "b 5", "c 5"])
    default: #expect(early <= 2)
    }
    let count = log.entries.count
    scheduler.run()
    #expect(log.entries.count == count)
    callback.flushAll()
    #expect(log.entries.count == count, "nothing is pending")
  }

  @Test("C7, K1: a flush in the run of another key takes effect on the next turn, and nothing postpones it")
  func flushInRun() {
    let callback = callback(
      .debounce(.milliseconds(10)),
      [
        "a": { [scheduler, log] callback in
          callback.flush("b")
          callback.schedule("c")
          callback.flush("c")
          log.add("flushed")
          scheduler.schedule { callback.schedule("b") }
        }
      ])
    callback.schedule("b")
    callback.schedule("a")
    callback.flush("a")
    #expect(callback.pendingCount == 2)
    scheduler.run()
    #expect(log.entries == ["a 0", "flushed", "b 0", "c 0"])
  }

  @Test("C7, K1: flushAll in a run takes effect on the next turn")
  func flushAllInRun() {
    let callback = callback(
      .audit(.milliseconds(10)),
      [
        "a": { [log] callback in
          callback.flushAll()
          log.add("flushed")
        }
      ])
    for key in ["b", "a", "c"] { callback.schedule(key) }
    callback.flush("a")
    scheduler.run()
    #expect(log.entries == ["a 0", "flushed", "b 0", "c 0"])
  }

  @Test("C7: a key can be flushed, cancelled and requested again while its turn is pending")
  func flushedBeforeTurn() {
    let callback = callback(.throttle(.milliseconds(10)))
    callback.schedule("a")
    callback.flush("a")
    callback.schedule("a")
    callback.cancel("a")
    callback.schedule("a")
    scheduler.run()
    #expect(log.entries == ["a 0", "a 0"])
    #expect(callback.keys.entryCount == 0)
  }

  @Test("C8: an infinite window of a key ends with a flush")
  func infiniteWindow() {
    let callback = callback(.debounce(.seconds(Int64.max)))
    callback.schedule("b")
    callback.schedule("a")
    scheduler.advance(by: .seconds(1_000_000))
    #expect(scheduler.pendingCount == 0, "no timer is armed")
    #expect(callback.pendingCount == 2)
    callback.flushAll()
    #expect(log.entries.map { $0.prefix(1) } == ["b", "a"])
    #expect(callback.keys.entryCount == 0)
  }

  @Test("C8: a policy without edges is flagged, and keeps no key")
  func noEdges() {
    let misuses = MisuseLog()
    let callback = KeyedCallback<Int>(
      on: scheduler, policy: .debounce(.seconds(1), edges: []), misuse: misuses.handler
    ) { _ in Issue.record("nothing is delivered") }
    callback.schedule(1)
    scheduler.run()
    #expect(misuses.kinds == [.noEdges])
    #expect(callback.pendingCount == 0)
    #expect(callback.keys.entryCount == 0)
  }
}
