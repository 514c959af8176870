import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L10: callers that wait for the batch of their element.
struct BatchAnswerTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Int> = .unlimited, retry: Backoff = .never
  ) -> BatchLoop<Int> {
    BatchLoop(on: scheduler, policy: policy, keeping: limit, retry: retry, misuse: misuses.handler) {
      try await script.body($0)
    } onError: { _, _ in
    }
  }

  /// Starts a caller at an instant. The caller logs the instant and the kind of its answer.
  @discardableResult private func process(
    _ element: Int, _ loop: BatchLoop<Int>, at milliseconds: Int = 0, _ script: RefreshScript
  ) -> Caller {
    Caller(script.add, on: scheduler, at: milliseconds, answer: "answer \(element)", error: "\(element)") {
      try await loop.process(element)
    }
  }

  @Test("L10: the batch of an element answers its caller")
  func succeeds() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    process(1, loop, script)
    process(2, loop, at: 5, script)
    scheduler.at(6) { loop.add(3) }
    scheduler.run()
    #expect(
      script.entries == ["[1] 0", "end 10", "answer 1 10", "[2, 3] 10", "end 20", "answer 2 20"])
  }

  @Test("L10: a caller gets the error of its batch, or with a retry the answer of the last attempt")
  func fails() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let failing = loop(script)
    process(1, failing, script)
    scheduler.advance(toMilliseconds: 20)
    #expect(script.entries == ["[1] 0", "fail 10", "1: Failure() 10"])
    let other = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let retried = loop(other, retry: .constant(.milliseconds(100)))
    process(1, retried, at: 20, other)
    process(2, retried, at: 50, other)
    scheduler.run()
    #expect(
      other.entries == ["[1] 20", "fail 30", "[1, 2] 130", "end 140", "answer 1 140", "answer 2 140"])
  }

  @Test("L10, C9: a caller whose element is dropped by the limit gets an error", arguments: [true, false])
  func limit(_ keepsNewest: Bool) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.milliseconds(20)), keeping: keepsNewest ? .newest(2) : .oldest(2))
    for element in 1...3 { process(element, loop, at: element, script) }
    scheduler.run()
    let dropped = keepsNewest ? 1 : 3
    let kept = (1...3).filter { $0 != dropped }
    #expect(
      script.entries == [
        "\(dropped): CancellationError() 3", "\(kept)-1 23", "end 33", "answer \(kept[0]) 33",
        "answer \(kept[1]) 33",
      ])
  }

  @Test("L10: the caller of a replaced element is answered by the batch of its successor")
  func replaced() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let distinct = loop(script, .debounce(.milliseconds(20)), keeping: .distinct(2))
    for (instant, element) in [1, 1, 2, 1, 3].enumerated() { process(element, distinct, at: instant, script) }
    scheduler.run()
    #expect(
      script.entries == [
        "3: CancellationError() 4", "[1, 2]-1 24", "end 34", "answer 1 34", "answer 1 34", "answer 1 34",
        "answer 2 34",
      ])
    let other = RefreshScript(scheduler, [.ms(10)])
    let combined = loop(other, .debounce(.milliseconds(20)), keeping: .combined { $0 + $1 })
    for (instant, element) in [1, 2, 3].enumerated() { process(element, combined, at: 100 + instant, other) }
    scheduler.run()
    #expect(other.entries == ["[6] 122", "end 132", "answer 1 132", "answer 2 132", "answer 3 132"])
  }

  @Test("L10: a replaced element of a retried batch is answered together with the newer element")
  func replacedInRetry() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, keeping: .distinct(5), retry: .constant(.milliseconds(100)))
    process(1, loop, script)
    process(1, loop, at: 50, script)
    scheduler.run()
    #expect(script.entries == ["[1] 0", "fail 10", "[1] 110", "end 120", "answer 1 120", "answer 1 120"])
  }

  @Test("L10, L9: a caller gets an error if its element has no room in a retried batch")
  func droppedInRetry() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, keeping: .newest(2), retry: .constant(.milliseconds(100)))
    process(1, loop, script)
    process(2, loop, at: 50, script)
    process(3, loop, at: 51, script)
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "fail 10", "[2, 3]-1 110", "1: CancellationError() 110", "end 120", "answer 2 120",
        "answer 3 120",
      ])
  }

  @Test("L10: an element that a leading-only policy ignores is dropped")
  func ignored() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .throttle(.milliseconds(100), edges: .leading))
    process(1, loop, script)
    process(2, loop, at: 50, script)
    scheduler.run()
    #expect(script.entries == ["[1] 0", "end 10", "answer 1 10", "2: CancellationError() 50"])
  }

  @Test(
    "L10: callers of dropped elements get an error, and callers of the run in progress an answer",
    arguments: [false, true])
  func dropped(stops: Bool) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    process(1, loop, script)
    process(2, loop, at: 4, script)
    scheduler.at(5) { [scheduler] in
      if stops { Task(executorPreference: scheduler) { await loop.stop() } } else { loop.cancel() }
    }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "2: CancellationError() 5", "end 10", "answer 1 10"])
  }

  @Test("L10: cancelRun drops the batch, even if another run follows")
  func cancelRun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    process(1, loop, script)
    process(2, loop, at: 4, script)
    scheduler.at(5) { loop.cancelRun() }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "cancelled 5", "1: CancellationError() 5", "[2] 5", "end 15", "answer 2 15",
      ])
  }

  @Test("L10: a cancelled caller throws and leaves its element; a caller cancelled before adds no element")
  func cancelledCaller() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.milliseconds(20)))
    let caller = process(1, loop, script)
    let early = process(2, loop, at: 5, script)
    scheduler.at(5) { early.cancel() }
    scheduler.at(10) { caller.cancel() }
    scheduler.run()
    #expect(script.entries == ["2: CancellationError() 5", "1: CancellationError() 10", "[1] 20", "end 30"])
  }

  @Test("L5, L10: a call from the run of the loop is flagged, adds the element and throws")
  func insideRun() {
    let script = RefreshScript(scheduler, [])
    let reference = Guarded<BatchLoop<Int>?>(nil)
    let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, misuse: misuses.handler) { batch in
      script.add(RefreshScript.format(batch))
      guard batch.first == 1 else { return }
      do { try await reference.withLock { $0 }?.process(2) } catch { script.add("\(error)") }
    }
    _ = reference.exchange(loop)
    loop.add(1)
    scheduler.run()
    #expect(script.entries == ["[1] 0", "CancellationError() 0", "[2] 0"])
    #expect(misuses.kinds == [.waitedInsideRun])
    #expect(misuses.messages[0].contains("let another loop make the run"))
    _ = reference.exchange(nil)
  }

  @Test("L5, L7, L10: a closed loop ends with its host, and its callers get an error")
  func closedHost() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let dropped = Log()
    let loop = BatchLoop<Int>(
      on: scheduler, keeping: .unlimited, onDrop: { dropped.add("\($0)") }, retry: .never)
    let host = Task(executorPreference: scheduler) {
      do { try await loop.run { try await script.body($0) } } catch { script.add("left: \(error)") }
    }
    process(1, loop, script)
    process(2, loop, at: 4, script)
    scheduler.at(5) { loop.close() }
    process(3, loop, at: 6, script)
    scheduler.run()
    #expect(
      script.entries.sorted() == [
        "1: Failure() 10", "2: CancellationError() 10", "3: CancellationError() 6", "[1] 0", "fail 10",
        "left: Failure() 10",
      ])
    #expect(dropped.entries == ["3", "1", "2"])
    withExtendedLifetime(host) {}
  }

  @Test("L10: a thousand callers are resumed in order, and a deep combination is released")
  func manyCallers() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.milliseconds(10)), keeping: .combined { max($0, $1) })
    for number in 0..<1000 { process(number, loop, script) }
    scheduler.run()
    #expect(script.entries.filter { $0.hasPrefix("answer") } == (0..<1000).map { "answer \($0) 20" })
  }
}
