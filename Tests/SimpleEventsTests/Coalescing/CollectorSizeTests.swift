import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C12: the batches of a collector that has a batch size.
struct CollectorSizeTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func collector(
    _ policy: CoalescingPolicy = .debounce(.milliseconds(10)),
    keeping limit: ElementLimit<Int> = .unlimited, batchSize: Int, misuse: MisuseHandler = .debugTrap
  ) -> CoalescingCollector<Int> {
    CoalescingCollector(
      on: scheduler, policy: policy, keeping: limit, batchSize: batchSize,
      onDrop: { [log] in log.add("drop \($0)") }, misuse: misuse
    ) { [log, scheduler] batch in
      log.add("\(scheduler.milliseconds): \(Array(batch)) \(batch.droppedCount)")
    }
  }

  @Test("C12: a full batch is delivered on the next turn, and a smaller one at the end of the window")
  func fullOrLate() {
    let collector = collector(batchSize: 3)
    scheduler.at(0) { collector.add(1) }
    scheduler.at(4) { collector.add(contentsOf: [2, 3]) }
    scheduler.at(20) { collector.add(4) }
    scheduler.run()
    #expect(log.entries == ["4: [1, 2, 3] 0", "30: [4] 0"])
  }

  @Test("C12: full batches follow turn by turn, and the rest waits for the window of its first element")
  func rest() {
    let collector = collector(.audit(.milliseconds(10)), batchSize: 2)
    scheduler.at(0) { collector.add(1) }
    scheduler.at(3) {
      collector.add(contentsOf: 2...5)
      #expect(collector.count == 5 && collector.isPending)
    }
    scheduler.at(4) { #expect(collector.count == 1 && collector.isPending) }
    scheduler.at(5) { collector.add(6) }
    scheduler.at(6) { collector.add(7) }
    scheduler.run()
    #expect(log.entries == ["3: [1, 2] 0", "3: [3, 4] 0", "5: [5, 6] 0", "16: [7] 0"])
    #expect(collector.count == 0 && !collector.isPending)
  }

  @Test("C12: the element after a full batch opens a window with a leading delivery")
  func leading() {
    let collector = collector(.throttle(.milliseconds(10)), batchSize: 2)
    scheduler.at(0) { collector.add(1) }
    scheduler.at(1) { collector.add(2) }
    scheduler.at(2) { collector.add(contentsOf: [3, 4]) }
    scheduler.run()
    #expect(log.entries == ["0: [1] 0", "2: [2, 3] 0", "2: [4] 0"])
  }

  @Test("C12, C4: a full batch cancels the timer of its window", arguments: Policies.all)
  func timer(_ policy: CoalescingPolicy) {
    let collector = collector(policy, batchSize: 2)
    collector.add(contentsOf: [1, 2])
    scheduler.advance()
    #expect(log.entries == ["0: [1, 2] 0"])
    #expect(scheduler.pendingCount == 0)
    withExtendedLifetime(collector) {}
  }

  @Test("C12: with a batch size of one, elements are delivered one by one", arguments: Policies.all)
  func one(_ policy: CoalescingPolicy) {
    let collector = collector(policy, batchSize: 1)
    collector.add(contentsOf: 1...3)
    scheduler.advance()
    #expect(log.entries == ["0: [1] 0", "0: [2] 0", "0: [3] 0"])
    withExtendedLifetime(collector) {}
  }

  @Test(
    "C12: a batch size above the limit, or the largest number, changes nothing", arguments: [4, Int.max])
  func unreached(_ size: Int) {
    let collector = collector(keeping: .newest(3), batchSize: size)
    scheduler.at(0) { collector.add(contentsOf: 1...5) }
    scheduler.run()
    #expect(log.entries == ["drop 1", "drop 2", "10: [3, 4, 5] 2"])
  }

  @Test("C12, C9: the limit counts the elements that a batch has left, and displaces the oldest of them")
  func displacesLeft() {
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler, keeping: .newest(4), batchSize: 2, onDrop: { [log] in log.add("drop \($0)") }
    ) { [log] batch in
      log.add("\(Array(batch)) \(batch.droppedCount)")
      if batch.first == 1 { itself.withLock { $0 }?.add(contentsOf: 5...7) }
    }
    _ = itself.exchange(collector)
    collector.add(contentsOf: 1...4)
    scheduler.run()
    #expect(log.entries == ["[1, 2] 0", "drop 3", "[4, 5] 1", "[6, 7] 0"])
    _ = itself.exchange(nil)
  }

  @Test("C12, C9: an equal element replaces an element that a batch has left, but not a taken element")
  func distinct() {
    struct Version: Sendable {
      var key: Character
      var number: Int
    }
    func version(_ text: Substring) -> Version { Version(key: text.first!, number: Int(text.dropFirst())!) }
    let itself = Guarded<CoalescingCollector<Version>?>(nil)
    let collector = CoalescingCollector<Version>(
      on: scheduler, keeping: .distinct(9, by: \.key), batchSize: 2
    ) { [log] batch in
      log.add(batch.map { "\($0.key)\($0.number)" }.joined(separator: " "))
      guard log.entries.count == 1 else { return }
      "a2 c2 e1".split(separator: " ").forEach { itself.withLock { $0 }?.add(version($0)) }
    }
    _ = itself.exchange(collector)
    "a1 b1 c1 d1".split(separator: " ").forEach { collector.add(version($0)) }
    scheduler.run()
    #expect(log.entries == ["a1 b1", "c2 d1", "a2 e1"])
    _ = itself.exchange(nil)
  }

  @Test("C12, C7: flush delivers all elements, batch by batch, on the calling thread")
  func flush() {
    let collector = collector(batchSize: 2)
    collector.add(contentsOf: 1...5)
    collector.flush()
    #expect(log.entries == ["0: [1, 2] 0", "0: [3, 4] 0", "0: [5] 0"])
    #expect(!collector.isPending && collector.count == 0)
    scheduler.run()
    #expect(log.entries.count == 3)
  }

  @Test("C12, C7: after a flush in the block, the batches follow turn by turn, delayed by no window")
  func flushInBlock() {
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .debounce(.milliseconds(10)), keeping: .unlimited, batchSize: 2
    ) { [log, scheduler] batch in
      log.add("\(scheduler.milliseconds): \(Array(batch))")
      guard batch.first == 1, let collector = itself.withLock({ $0 }) else { return }
      collector.add(contentsOf: 3...5)
      collector.flush()
      collector.add(6)
      collector.add(7)
    }
    _ = itself.exchange(collector)
    collector.add(contentsOf: [1, 2])
    scheduler.run()
    #expect(log.entries == ["0: [1, 2]", "0: [3, 4]", "0: [5, 6]", "10: [7]"])
    _ = itself.exchange(nil)
  }

  @Test("C7, C12: a flush delivers the elements queued when it begins, also if the block adds and flushes")
  func addsInFlush() {
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .debounce(.milliseconds(10)), keeping: .unlimited, batchSize: 2
    ) { [log, scheduler] batch in
      log.add("\(scheduler.milliseconds): \(Array(batch))")
      guard batch.first! < 5, let collector = itself.withLock({ $0 }) else { return }
      collector.add(batch.first! + 3)
      collector.flush()
    }
    _ = itself.exchange(collector)
    collector.add(1)
    scheduler.at(3) {
      collector.flush()
      log.add("flushed")
    }
    scheduler.run()
    #expect(log.entries == ["3: [1]", "flushed", "3: [4]", "3: [7]"])
    _ = itself.exchange(nil)
  }

  @Test("C12: a later element does not take the place of an element that was displaced after a flush")
  func displacedAfterFlush() {
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .debounce(.milliseconds(10)), keeping: .newest(4), batchSize: 3
    ) { [log, scheduler] batch in
      log.add("\(scheduler.milliseconds): \(Array(batch))")
      guard batch.first == 0, let collector = itself.withLock({ $0 }) else { return }
      collector.add(contentsOf: 1...4)
      collector.flush()
      collector.add(5)
    }
    _ = itself.exchange(collector)
    collector.add(0)
    scheduler.run()
    #expect(log.entries == ["10: [0]", "10: [2, 3, 4]", "20: [5]"])
    _ = itself.exchange(nil)
  }

  @Test("C12: the elements of each batch of a flush are released before the next batch is taken")
  func releasesInFlush() {
    final class Asking: Sendable {
      let ask: @Sendable () -> Void

      init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }

      deinit { ask() }
    }
    let itself = Guarded<CoalescingCollector<Asking>?>(nil)
    let collector = CoalescingCollector<Asking>(on: scheduler, keeping: .unlimited, batchSize: 1) { _ in }
    _ = itself.exchange(collector)
    for _ in 0..<3 {
      collector.add(
        Asking { [log] in
          // This takes the lock of the collector.
          log.add("\(itself.withLock { $0 }?.count ?? -1) left")
        })
    }
    scheduler.at(1) { collector.flush() }
    scheduler.advance(toMilliseconds: 1)
    #expect(log.entries == ["2 left", "1 left", "0 left"])
    _ = itself.exchange(nil)
  }

  @Test("C12, C7: cancel discards the elements that a batch has left, the oldest first")
  func cancel() {
    let itself = Guarded<CoalescingCollector<Int>?>(nil)
    let collector = CoalescingCollector<Int>(
      on: scheduler, keeping: .unlimited, batchSize: 2, onDrop: { [log] in log.add("drop \($0)") }
    ) { [log] batch in
      log.add("\(Array(batch))")
      itself.withLock { $0 }?.add(5)
      itself.withLock { $0 }?.cancel()
    }
    _ = itself.exchange(collector)
    collector.add(contentsOf: 1...4)
    scheduler.run()
    #expect(log.entries == ["[1, 2]", "drop 3", "drop 4", "drop 5"])
    _ = itself.exchange(nil)
  }

  @Test("C12, E6: a deallocation discards the elements that a batch has left")
  func deallocation() {
    var collector: CoalescingCollector<Int>?
    collector = CoalescingCollector(
      on: scheduler, keeping: .unlimited, batchSize: 2, onDrop: { [log] in log.add("drop \($0)") }
    ) { [log] batch in
      log.add("\(Array(batch))")
      collector = nil
    }
    collector?.add(contentsOf: 1...3)
    scheduler.run()
    #expect(log.entries == ["[1, 2]", "drop 3"])
  }

  @Test("C11, C12: elements that batches leave do not count as feedback")
  func feedback() {
    let misuses = MisuseLog()
    let collector = collector(batchSize: 1, misuse: misuses.handler)
    collector.add(contentsOf: 1...20_000)
    scheduler.run()
    #expect(log.entries.count == 20_000 && misuses.kinds == [])
  }

  @Test("C12: a batch size below one is flagged and taken as one", arguments: [0, -1, Int.min])
  func belowOne(_ size: Int) {
    let misuses = MisuseLog()
    let collector = collector(batchSize: size, misuse: misuses.handler)
    #expect(misuses.kinds == [.batchSizeBelowOne] && misuses.messages[0].contains("\(size)"))
    collector.add(contentsOf: 1...2)
    scheduler.run()
    #expect(log.entries == ["0: [1] 0", "0: [2] 0"])
  }

  @Test("C12: a batch size of combined elements is flagged and ignored")
  func combined() {
    let misuses = MisuseLog()
    let collector = collector(keeping: .combined { $0 + $1 }, batchSize: 1, misuse: misuses.handler)
    #expect(misuses.kinds == [.batchSizeWhileCombining])
    collector.add(contentsOf: 1...2)
    scheduler.run()
    #expect(log.entries == ["10: [3] 0"])
  }

  @Test("W2: a delivery of a full batch leaves the signals of the other elements pending")
  func monitored() throws {
    let monitor = MonitorLog()
    withCoalescingMonitor(monitor) {
      let collector = collector(.audit(.milliseconds(10)), batchSize: 2)
      scheduler.at(0) { for number in 1...5 { collector.add(number) } }
      scheduler.at(12) { collector.add(6) }
      scheduler.at(13) { collector.cancel() }
      scheduler.run()
    }
    let record = try #require(monitor.records.first)
    #expect(record.deliveries.map(\.signalCount) == [2, 2, 1])
    #expect(record.discarded == 1 && record.signals == 6 && monitor.faults == [])
  }
}
