import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// K6, W2: a monitor sees one source for all keys, and its counts are exact.
struct KeyedMonitorTests {
  private let scheduler = TestScheduler()
  private let log = MonitorLog()

  /// Creates an object that the log watches.
  private func watched<Object>(_ make: () -> Object) -> Object {
    withCoalescingMonitor(log) { make() }
  }

  @Test("K6, W2: each key has a delivery of its own, with its signals and its first instant")
  func deliveries() {
    let callback = watched {
      KeyedCallback<String>(on: scheduler, policy: .debounce(.milliseconds(10)), label: "a") { _ in }
    }
    for (time, key) in [(0, "a"), (2, "b"), (5, "a"), (6, "b"), (20, "c")] {
      scheduler.at(time) { callback.schedule(key) }
    }
    scheduler.at(25) { callback.flush("c") }
    scheduler.at(30) { callback.schedule("d") }
    scheduler.at(30) { callback.schedule("d") }
    scheduler.at(31) { callback.cancel("d") }
    scheduler.at(31) { callback.cancel("d") }
    scheduler.run()
    #expect(
      log.entries == [
        "created KeyedCallback<String> \"a\"", "2 since 0 at 15, deadline", "2 since 2 at 16, deadline",
        "1 since 20 at 25, flush", "discarded 2",
      ])
    withExtendedLifetime(callback) {}
  }

  @Test("K6, W2: a source shows all pending signals, and the oldest of them")
  func oldest() throws {
    let callback = watched {
      KeyedCallback<Int>(on: scheduler, policy: .debounce(.milliseconds(10))) { _ in }
    }
    let source = try #require(log.records.first?.source)
    func pending() -> [Int?] {
      [source.statistics.pendingSignalCount, source.statistics.pendingSince?.milliseconds]
    }
    for (time, key) in [(0, 1), (3, 2), (9, 2), (9, 1), (9, 1)] {
      scheduler.at(time) { callback.schedule(key) }
    }
    scheduler.advance(toMilliseconds: 9)
    #expect(pending() == [5, 0])
    callback.flush(1)
    #expect(pending() == [2, 3])
    callback.schedule(1)
    callback.cancel(2)
    #expect(pending() == [1, 9])
    callback.cancelAll()
    #expect(pending() == [0, nil])
    #expect(source.statistics.discardedSignalCount == 3)
  }

  @Test("K6, W2: the pending signals of all keys are counted at the end, also if a block ends the owner")
  func ends() {
    var callback: KeyedCallback<Int>? = watched { KeyedCallback(on: scheduler) { _ in } }
    for key in [1, 2, 2] { callback?.schedule(key) }
    callback = nil
    callback = watched {
      KeyedCallback(on: scheduler) { _ in
        callback?.schedule(7)
        callback = nil
      }
    }
    for key in [1, 2, 2] { callback?.schedule(key) }
    scheduler.run()
    #expect(
      log.entries.filter { !$0.hasPrefix("created") } == ["ended 3", "1 since 0 at 0, turn", "ended 3"])
    #expect(log.faults == [])
  }

  @Test("K6, W2: the signals of all deliveries and losses add up on random programs", arguments: Policies.all)
  func sums(_ policy: CoalescingPolicy) throws {
    var random = SeededGenerator(seed: 7)
    let accepted = Shared(0)
    for _ in 0..<20 {
      var callback: KeyedCallback<Int>? = watched { KeyedCallback(on: scheduler, policy: policy) { _ in } }
      for _ in 0..<100 {
        let key = Int.random(in: 0..<5, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<7: callback?.schedule(key)
        case 7: callback?.cancel(key)
        case 8: callback?.flush(key)
        case 9: [callback?.flushAll, callback?.cancelAll].randomElement(using: &random)!?()
        default: scheduler.advance(by: .milliseconds(Int.random(in: 0..<12, using: &random)))
        }
      }
      let source = try #require(log.records.last?.source)
      accepted.value = source.statistics.signalCount
      callback = nil
      #expect(log.records.last?.signals == accepted.value)
    }
    #expect(log.faults == [])
  }

  @Test("S7, W2: signals that a scheduler loses are counted")
  func lost() {
    let scheduler = ForgetfulScheduler()
    let callback = watched { KeyedCallback<Int>(on: scheduler) { _ in } }
    for key in [1, 2, 2] { callback.schedule(key) }
    scheduler.forget()
    #expect(log.entries.dropFirst() == ["discarded 3"])
    withExtendedLifetime(callback) {}
  }

  @Test("C7, K6: a description counts the pending keys, and has their times if a monitor watches the object")
  func description() {
    let seen = Log()
    let callback = watched {
      KeyedCallback<String>(on: scheduler, policy: .audit(.milliseconds(100)), label: "saves") { _ in }
    }
    #expect("\(callback)" == "KeyedCallback<String> \"saves\"")
    callback.schedule("a")
    scheduler.advance(by: .milliseconds(80))
    #expect("\(callback)" == "KeyedCallback<String> \"saves\", 1 key pending for 80 ms")
    callback.schedule("b")
    #expect("\(callback)" == "KeyedCallback<String> \"saves\", 2 keys pending, the first for 80 ms")
    let reference = Shared<KeyedCallback<Int>?>(nil)
    reference.value = KeyedCallback(on: scheduler) { _ in seen.add("\(reference.value!)") }
    for key in 0..<3 { reference.value?.schedule(key) }
    #expect("\(reference.value!)" == "KeyedCallback<Int>, 3 keys pending")
    scheduler.advance()
    #expect(seen.entries.first == "KeyedCallback<Int>, delivering, 2 keys pending")
    reference.value = nil
  }

  @Test("C11: keys that request each other 10,000 times in a row are flagged once")
  func feedback() {
    let misuses = MisuseLog()
    let reference = Shared<KeyedCallback<Int>?>(nil)
    let calls = Shared(0)
    reference.value = KeyedCallback(on: scheduler, label: "echo", misuse: misuses.handler) { key in
      calls.change { $0 += 1 }
      if calls.value < 20_000 { reference.value?.schedule(1 - key) }
    }
    reference.value?.schedule(0)
    scheduler.run()
    #expect(misuses.kinds == (isDebug ? [.feedback] : []))
    reference.value = nil
  }

  @Test("C11: an alarm that delivers no key does not interrupt a row of requests")
  func feedbackBesideAlarms() {
    let misuses = MisuseLog()
    let reference = Shared<KeyedCallback<Int>?>(nil)
    reference.value = KeyedCallback(
      on: scheduler, policy: .debounce(.milliseconds(10)), label: "echo", misuse: misuses.handler
    ) { reference.value?.schedule($0) }
    reference.value?.schedule(0)
    scheduler.advance(by: .milliseconds(10))
    for _ in 0..<FeedbackWatch.limit {
      // The signal moves the end of the window, so that the alarm comes too early.
      scheduler.advance(by: .milliseconds(5))
      reference.value?.schedule(0)
      scheduler.advance(by: .milliseconds(10))
    }
    #expect(misuses.kinds == (isDebug ? [.feedback] : []))
    reference.value?.cancelAll()
    reference.value = nil
  }

  @Test("K1: a key whose comparison calls the object stops the program")
  func reentrantComparison() async {
    await #expect(processExitsWith: .failure) {
      let callback = KeyedCallback<ReentrantKey>(on: TestScheduler()) { _ in }
      callback.schedule(ReentrantKey(callback: { _ = callback.pendingCount }))
      callback.schedule(ReentrantKey(callback: { _ = callback.pendingCount }))
    }
  }
}

/// A key whose comparison makes a call.
private struct ReentrantKey: Hashable, Sendable {
  let callback: @Sendable () -> Void

  static func == (lhs: ReentrantKey, rhs: ReentrantKey) -> Bool {
    lhs.callback()
    return true
  }

  func hash(into hasher: inout Hasher) {}
}
