import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// C12 and L9: the batches of a batch loop that has a batch size.
struct BatchSizeTests {
  private let scheduler = TestScheduler()

  /// Returns a loop whose batches have at most two elements.
  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .debounce(.milliseconds(100)),
    retry: Backoff = .never
  ) -> BatchLoop<Int> {
    BatchLoop(on: scheduler, policy: policy, keeping: .unlimited, batchSize: 2, retry: retry) {
      try await script.body($0)
    } onError: { _, batch in
      script.add("error of \(Array(batch))")
    }
  }

  @Test("C12: a full batch starts a run regardless of the window, and the rest waits for its own window")
  func fullOrLate() {
    let script = RefreshScript(scheduler, [.ms(1)])
    let loop = loop(script)
    scheduler.at(0) { loop.add(1) }
    scheduler.at(5) { loop.add(contentsOf: [2, 3]) }
    scheduler.run()
    #expect(script.entries == ["[1, 2] 5", "end 6", "[3] 105", "end 106"])
  }

  @Test("C12: full batches follow run by run, also if they become full during a run", arguments: [25, 36])
  func runByRun(added: Int) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    scheduler.at(0) { loop.add(contentsOf: 1...4) }
    scheduler.at(5) { loop.add(contentsOf: 5...7) }
    scheduler.at(15) {
      #expect(loop.count == 3)
      loop.add(8)
    }
    // This element opens a window.
    scheduler.at(added) { loop.add(9) }
    scheduler.run()
    #expect(
      script.entries
        == [
          "[1, 2] 0", "end 10", "[3, 4] 10", "end 20", "[5, 6] 20", "end 30", "[7, 8] 30", "end 40",
          "[9] \(added + 100)", "end \(added + 110)",
        ])
  }

  @Test("C12, L9: a retried batch is filled up, and a full one is retried unchanged")
  func retried() {
    let script = RefreshScript(scheduler, [.failing(10), .failing(10), .ms(10)])
    let loop = loop(script, .nextTurn, retry: .constant(.milliseconds(10)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(5) { loop.add(contentsOf: 2...3) }
    scheduler.at(25) { loop.add(4) }
    scheduler.run()
    #expect(
      script.entries
        == [
          "[1] 0", "fail 10", "error of [1] 10", "[1, 2] 20", "fail 30", "error of [1, 2] 30", "[1, 2] 40",
          "end 50", "[3, 4] 50", "end 60",
        ])
  }

  @Test("C12, C7: flush makes runs one after the other for all queued elements")
  func flush() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    scheduler.at(0) { loop.add(1) }
    scheduler.at(1) {
      loop.flush()
      loop.add(contentsOf: 2...4)
    }
    scheduler.at(5) { loop.add(5) }
    scheduler.at(6) { loop.flush() }
    scheduler.at(22) { loop.add(6) }
    scheduler.at(33) { loop.add(7) }
    scheduler.run()
    #expect(
      script.entries
        == [
          "[1, 2] 1", "end 11", "[3, 4] 11", "end 21", "[5] 21", "end 31", "[6, 7] 33", "end 43",
        ])
  }

  @Test("C12, L5: finish makes runs without retries until no element is queued")
  func finish() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = loop(script, retry: .constant(.milliseconds(10)))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(1) {
      loop.add(contentsOf: 2...5)
      Task(executorPreference: scheduler) {
        await loop.finish()
        script.add("finished")
      }
    }
    scheduler.run()
    #expect(
      script.entries
        == [
          "[1, 2] 1", "fail 11", "error of [1, 2] 11", "[1, 2] 11", "fail 21", "error of [1, 2] 21",
          "[3, 4] 21", "fail 31", "error of [3, 4] 31", "[5] 31", "fail 41", "error of [5] 41", "finished 41",
        ])
    #expect(!loop.isPending && loop.count == 0)
  }

  @Test("C12, L7: the elements that a cancelled host leaves are the batches of the next host")
  func hosts() throws {
    let log = Log()
    let scheduler = scheduler
    try scheduler.run {
      let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, batchSize: 2)
      loop.add(contentsOf: 1...5)
      let first = Task {
        try await loop.run { batch in
          log.add("first \(Array(batch))")
          try await scheduler.clock.sleep(for: .seconds(1))
        }
      }
      try await scheduler.clock.sleep(for: .milliseconds(1500))
      first.cancel()
      _ = await first.result
      let second = Task { await loop.run { batch in log.add("second \(Array(batch))") } }
      await loop.finish()
      await second.value
    }
    #expect(log.entries == ["first [1, 2]", "first [3, 4]", "second [3, 4]", "second [5]"])
  }

  @Test("C12, W2: a run of a full batch leaves the signals of the other elements pending")
  func monitored() throws {
    let monitor = MonitorLog()
    withCoalescingMonitor(monitor) {
      let script = RefreshScript(scheduler, [.ms(1)])
      let loop = loop(script)
      scheduler.at(0) { for number in 1...5 { loop.add(number) } }
      scheduler.at(200) { loop.add(6) }
      scheduler.at(210) { loop.cancel() }
      scheduler.run()
    }
    let record = try #require(monitor.records.first)
    #expect(record.deliveries.map(\.signalCount) == [2, 2, 1])
    #expect(record.discarded == 1 && record.signals == 6 && monitor.faults == [])
  }

  @Test("C12: a batch size below one, or of combined elements, is flagged")
  func misuses() {
    let misuses = MisuseLog()
    _ = BatchLoop<Int>(on: scheduler, keeping: .unlimited, batchSize: 0, misuse: misuses.handler)
    _ = BatchLoop<Int>(
      on: scheduler, keeping: .combined { $0 + $1 }, batchSize: 9, misuse: misuses.handler)
    #expect(misuses.kinds == [.batchSizeBelowOne, .batchSizeWhileCombining])
  }

  /// One random program: additions at whole milliseconds, a flush, a cancellation or an end.
  private func check(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scheduler = TestScheduler()
    let policy = NaiveModel.Policy(random: NaiveModel.Shape.allCases.randomElement(using: &random)!, &random)
    let longest = Int.random(in: 1...20, using: &random)
    let script = RefreshScript(
      scheduler,
      (0..<Int.random(in: 1...9, using: &random)).map { _ in
        RefreshScript.Run(
          microseconds: Int.random(in: 0...longest, using: &random) * 1000 + 1,
          fails: Int.random(in: 0..<4, using: &random) == 0)
      } + [.ms(1)])
    let size = Int.random(in: 1...4, using: &random)
    let limit = Int.random(in: size...9, using: &random)
    let rules: [ElementLimit<Int>] = [.newest(limit), .oldest(limit), .distinct(limit), .unlimited]
    let isRetried = Bool.random(using: &random)
    let saved = Guarded<[Int]>([])
    let lost = Guarded<[Int]>([])
    let loop = BatchLoop<Int>(
      on: scheduler, policy: CoalescingPolicy(policy), keeping: rules.randomElement(using: &random)!,
      batchSize: size, onDrop: { element in lost.withLock { $0.append(element) } },
      retry: isRetried ? .constant(.milliseconds(7)) : .never
    ) { batch in
      #expect(batch.count <= size, "C12: seed \(seed)")
      try await script.body()
      saved.withLock { $0 += batch }
    } onError: { _, batch in
      if !isRetried { lost.withLock { $0 += batch } }
    }
    var (tick, count) = (0, 0)
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      tick += Int.random(in: 0...6, using: &random)
      let numbers = count..<count + Int.random(in: 1...5, using: &random)
      count = numbers.upperBound
      scheduler.at(tick) { for number in numbers { loop.add(number) } }
      switch Int.random(in: 0..<24, using: &random) {
      case 0: scheduler.at(tick) { loop.flush() }
      case 1: scheduler.at(tick) { loop.cancel() }
      default: break
      }
      // This instant is after all work of the millisecond.
      scheduler.schedule(at: .ms(tick).advanced(by: .microseconds(500))) {
        guard loop.count >= size else { return }
        let isBusy = loop.isRunning || "\(loop)".contains("waiting for a retry")
        #expect(isBusy, "C12: a full batch is in a run on the next turn, seed \(seed)")
      }
    }
    scheduler.run()
    let all = saved.withLock { $0 } + lost.withLock { $0 }
    #expect(all.sorted() == Array(0..<count), "L9: each element has one fate, seed \(seed)")
    #expect(saved.withLock { $0 == $0.sorted() }, "L9: elements are saved in order, seed \(seed)")
    #expect(script.overlaps == 0 && !loop.isPending, "L1: seed \(seed)")
  }

  @Test("C9, C12, L9: each element is saved, given up or dropped in random programs, within the batch size")
  func randomPrograms() {
    for seed in Stress.seeds(10_000) { check(seed: seed) }
  }
}
