import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// K1, K2, C9 and C12 for a keyed collector.
struct KeyedCollectorTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func collector(
    _ policy: CoalescingPolicy = .nextTurn, keeping limit: ElementLimit<Int> = .newest(3),
    batchSize: Int = .max, _ misuse: MisuseHandler = .debugTrap
  ) -> KeyedCollector<String, Int> {
    KeyedCollector(
      on: scheduler, policy: policy, keeping: limit, batchSize: batchSize,
      onDrop: { [log] in log.add("drop \($0) \($1)") }, label: "inbox", misuse: misuse
    ) { [scheduler, log] key, batch in
      log.add("\(key) \(Array(batch)), \(batch.droppedCount) at \(scheduler.milliseconds)")
    }
  }

  @Test("K1, C9: the limit and the order of elements apply to each key separately")
  func limits() {
    let collector = collector()
    for element in 0..<4 {
      collector.add(element, for: "a")
      if element < 2 { collector.add(10 * element, for: "b") }
    }
    collector.add(contentsOf: [5, 6], for: "c")
    #expect(collector.count(for: "a") == 3 && collector.count(for: "x") == 0)
    #expect(collector.pendingCount == 3)
    scheduler.run()
    #expect(
      log.entries == ["drop a 0", "a [1, 2, 3], 1 at 0", "b [0, 10], 0 at 0", "c [5, 6], 0 at 0"])
    #expect(collector.entryCount == 0)
  }

  @Test("K2: keys that came and went leave no entry", arguments: Policies.all)
  func quietKeys(_ policy: CoalescingPolicy) {
    let collector = KeyedCollector<Int, Int>(on: scheduler, policy: policy, keeping: .newest(1)) { _, _ in }
    for key in 0..<1000 {
      collector.add(key, for: key)
      collector.add(key, for: key)
      if key % 100 == 0 { scheduler.advance(by: .milliseconds(7)) }
    }
    scheduler.advance(by: .milliseconds(40))
    #expect(collector.entryCount == 0)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("C12: each key has full batches of its own")
  func fullBatches() {
    let collector = collector(.audit(.milliseconds(10)), keeping: .newest(9), batchSize: 2)
    collector.add(contentsOf: [1, 2, 3], for: "a")
    collector.add(4, for: "b")
    scheduler.advance(by: .milliseconds(5))
    #expect(log.entries == ["a [1, 2], 0 at 0"])
    #expect(collector.isPending("a"), "the rest waits for its window")
    scheduler.run()
    #expect(
      log.entries == ["a [1, 2], 0 at 0", "a [3], 0 at 0", "b [4], 0 at 10"]
        || log.entries == ["a [1, 2], 0 at 0", "a [3], 0 at 10", "b [4], 0 at 10"])
    #expect(collector.entryCount == 0)
  }

  @Test("C7, C12: a flush delivers all elements of a key, batch by batch, before the next key")
  func flushesBatches() {
    let collector = collector(.debounce(.milliseconds(10)), keeping: .newest(9), batchSize: 2)
    func fill() {
      for key in ["a", "b"] {
        collector.add(contentsOf: [1, 2, 3, 4, 5], for: key)
      }
    }
    fill()
    collector.flush("b")
    #expect(log.entries == ["b [1, 2], 0 at 0", "b [3, 4], 0 at 0", "b [5], 0 at 0"])
    scheduler.run()
    let count = log.entries.count
    #expect(count == 6, "b has nothing left on the turn that was asked for")
    fill()
    collector.flushAll()
    #expect(
      log.entries.dropFirst(count).map { $0.prefix(6) } == [
        "a [1, ", "a [3, ", "a [5],", "b [1, ", "b [3, ", "b [5],",
      ])
    scheduler.run()
    #expect(log.entries.count == count + 6)
    #expect(collector.entryCount == 0)
  }

  @Test("C7, C12: a cancellation in the delivery of a flush drops the remaining batches")
  func cancelledFlush() {
    let reference = Shared<KeyedCollector<String, Int>?>(nil)
    reference.value = KeyedCollector(
      on: scheduler, policy: .debounce(.milliseconds(10)), keeping: .newest(9), batchSize: 2
    ) { [log] key, batch in
      log.add("\(key) \(Array(batch))")
      reference.value?.cancel("a")
      if log.entries.count == 1 { reference.value?.add(7, for: "a") }
    }
    reference.value?.add(contentsOf: [1, 2, 3, 4, 5], for: "a")
    reference.value?.flush("a")
    #expect(log.entries == ["a [1, 2]"])
    scheduler.run()
    #expect(log.entries == ["a [1, 2]", "a [7]"])
    reference.value = nil
  }

  @Test("E6, K1: the elements of a key are released before the next key is taken")
  func elementReleasesOwner() {
    final class Last: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      deinit { body() }
    }
    let reference = Shared<KeyedCollector<String, Last>?>(nil)
    do {
      let collector = KeyedCollector<String, Last>(on: scheduler, keeping: .unlimited) { [log] key, _ in
        log.add(key)
      }
      collector.add(Last { reference.value = nil }, for: "a")
      collector.add(Last {}, for: "b")
      reference.value = collector
    }
    scheduler.run()
    #expect(log.entries == ["a"])
  }

  @Test("C12: a cancellation of another key in the delivery of a flush does not end the flush")
  func otherKeyCancelledInFlush() {
    let reference = Shared<KeyedCollector<String, Int>?>(nil)
    reference.value = KeyedCollector(
      on: scheduler, policy: .debounce(.milliseconds(10)), keeping: .newest(9), batchSize: 2
    ) { [log] key, batch in
      log.add("\(key) \(Array(batch))")
      reference.value?.cancel("b")
    }
    reference.value?.add(contentsOf: [1, 2, 3, 4, 5], for: "a")
    reference.value?.add(6, for: "b")
    reference.value?.flush("a")
    #expect(log.entries == ["a [1, 2]", "a [3, 4]", "a [5]"])
    scheduler.run()
    #expect(log.entries.count == 3)
    reference.value = nil
  }

  @Test("C9: elements that are not delivered are given to onDrop with their keys, each once")
  func drops() {
    var collector: KeyedCollector<String, Int>? = collector(.throttle(.milliseconds(10), edges: .leading))
    collector?.add(1, for: "a")
    scheduler.advance()
    collector?.add(2, for: "a")
    collector?.add(3, for: "b")
    collector?.cancel("b")
    collector?.cancel("b")
    collector?.add(4, for: "c")
    collector?.cancelAll()
    collector?.add(5, for: "d")
    collector = nil
    scheduler.run()
    #expect(log.entries == ["a [1], 0 at 0", "drop a 2", "drop b 3", "drop c 4", "drop d 5"])
  }

  @Test("K2, C9: elements that a policy ignores are counted in no batch")
  func ignored() {
    let collector = collector(.throttle(.milliseconds(10), edges: .leading))
    for time in [0, 1, 2, 20] { scheduler.at(time) { collector.add(time, for: "a") } }
    scheduler.run()
    #expect(log.entries == ["a [0], 0 at 0", "drop a 1", "drop a 2", "a [20], 0 at 20"])
  }

  @Test("S7, C9: elements that are lost with a scheduler are given to onDrop")
  func lost() {
    let forgetful = ForgetfulScheduler()
    let collector = KeyedCollector<String, Int>(
      on: forgetful, keeping: .unlimited, onDrop: { [log] in log.add("drop \($0) \($1)") }
    ) { _, _ in }
    collector.add(1, for: "a")
    collector.add(2, for: "a")
    forgetful.forget()
    #expect(log.entries == ["drop a 1", "drop a 2"])
    #expect(collector.count(for: "a") == 0)
  }

  @Test("C9: elements are combined separately for each key")
  func combined() {
    let collector = collector(keeping: .combined { $0 + $1 })
    for element in 1...3 {
      collector.add(element, for: "a")
      collector.add(10 * element, for: "b")
    }
    scheduler.run()
    #expect(log.entries == ["a [6], 0 at 0", "b [60], 0 at 0"])
  }

  @Test("C9: a function that combines elements must not add an element for any key", arguments: ["a", "b"])
  func addedWhileCombining(_ key: String) {
    let misuses = MisuseLog()
    let reference = Shared<KeyedCollector<String, Int>?>(nil)
    reference.value = collector(
      keeping: .combined { old, new in
        if new < 10 { reference.value?.add(10 * new, for: key) }
        return old + new
      }, misuses.handler)
    reference.value?.add(1, for: "a")
    reference.value?.add(2, for: "a")
    scheduler.run()
    #expect(misuses.kinds == [.addedWhileCombining])
    #expect(log.entries == ["drop \(key) 20", "a [3], \(key == "a" ? 1 : 0) at 0"])
    reference.value?.add(3, for: "a")
    reference.value?.add(4, for: "b")
    scheduler.run()
    #expect(log.entries.suffix(2) == ["a [3], 0 at 0", "b [4], 0 at 0"], "the threads are forgotten")
    reference.value = nil
  }

  @Test("C9, K2: no element is lost if its key is forgotten and returns while elements are compared")
  func forgottenWhileComparing() {
    /// Elements whose first comparison makes a call.
    struct Element: Hashable, Sendable {
      let name: String
      static let onComparison: Shared<(() -> Void)?> = Shared(nil)

      static func == (lhs: Element, rhs: Element) -> Bool {
        let call = onComparison.value
        onComparison.value = nil
        call?()
        return lhs.name == rhs.name
      }

      func hash(into hasher: inout Hasher) {}
    }
    let collector = KeyedCollector<Int, Element>(on: scheduler, keeping: .distinct(9)) { [log] _, batch in
      log.add("\(batch.map(\.name))")
    }
    collector.add(Element(name: "a"), for: 1)
    Element.onComparison.value = {
      collector.flush(1)
      self.scheduler.run()
      #expect(collector.entryCount == 0, "the key is forgotten")
      collector.add(Element(name: "b"), for: 1)
    }
    collector.add(Element(name: "a"), for: 1)
    scheduler.run()
    #expect(log.entries == ["[\"a\"]", "[\"b\", \"a\"]"])
  }

  @Test("C9, C12: invalid limits and sizes are flagged")
  func misuses() {
    let misuses = MisuseLog()
    _ = collector(keeping: .newest(0), misuses.handler)
    _ = collector(batchSize: 0, misuses.handler)
    _ = collector(keeping: .combined { $0 + $1 }, batchSize: 1, misuses.handler)
    #expect(misuses.kinds == [.limitBelowOne, .batchSizeBelowOne, .batchSizeWhileCombining])
    #expect(misuses.messages[0].contains("KeyedCollector<String, Int> \"inbox\""))
  }

  @Test("K6, W2: a monitor counts the signals and the dropped elements of each key")
  func monitor() {
    let monitor = MonitorLog()
    let collector = withCoalescingMonitor(monitor) {
      KeyedCollector<String, Int>(
        on: scheduler, policy: .audit(.milliseconds(10)), keeping: .newest(4), batchSize: 2, label: "inbox"
      ) { _, _ in }
    }
    for element in 1...3 { collector.add(element, for: "a") }
    collector.add(4, for: "b")
    scheduler.run()
    #expect(monitor.records[0].signals == 4)
    #expect(monitor.records[0].deliveries.map(\.signalCount) == [2, 1, 1])
    let dropping = withCoalescingMonitor(monitor) {
      KeyedCollector<String, Int>(on: scheduler, keeping: .newest(1)) { _, _ in }
    }
    for key in ["a", "b", "a"] { dropping.add(1, for: key) }
    scheduler.run()
    #expect(monitor.records[1].deliveries.map(\.droppedCount) == [1, 0])
    #expect("\(collector)" == "KeyedCollector<String, Int> \"inbox\"")
  }
}
