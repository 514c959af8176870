import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L9: the batches of a loop that has a body, in virtual time.
struct BatchLoopTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  /// Returns a loop that records its errors in its script.
  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Int> = .unlimited, retry: Backoff = .never
  ) -> BatchLoop<Int> {
    BatchLoop(on: scheduler, policy: policy, keeping: limit, retry: retry, misuse: misuses.handler) {
      try await script.body($0)
    } onError: { error, batch in
      script.add("\(error) of \(RefreshScript.format(batch))")
    }
  }

  private func add(_ elements: Int..., to loop: BatchLoop<Int>, at instant: Int) {
    scheduler.at(instant) { for element in elements { loop.add(element) } }
  }

  @Test("L9: elements stay in order, one batch runs at a time, and later elements are in the next batch")
  func order() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    add(1, 2, to: loop, at: 0)
    add(3, to: loop, at: 2)
    add(4, 5, to: loop, at: 9)
    add(6, to: loop, at: 40)
    scheduler.run()
    #expect(
      script.entries == ["[1, 2] 0", "end 10", "[3, 4, 5] 10", "end 20", "[6] 40", "end 50"])
    #expect(script.overlaps == 0)
  }

  @Test("L9: every element is in one batch, in order", arguments: Policies.all)
  func policies(_ policy: CoalescingPolicy) {
    let script = RefreshScript(scheduler, [.ms(7)])
    let log = Guarded<[Int]>([])
    let dropped = Guarded(0)
    let loop = BatchLoop<Int>(on: scheduler, policy: policy, keeping: .unlimited) { batch in
      #expect(!batch.isEmpty)
      log.withLock { $0 += batch }
      dropped.withLock { $0 += batch.droppedCount }
      try? await script.body()
    }
    for instant in stride(from: 0, to: 300, by: 3) { scheduler.at(instant) { loop.add(instant) } }
    scheduler.at(1000) { loop.add(1000) }
    scheduler.run()
    let received = log.withLock { $0 }
    #expect(received == Array(Set(received)).sorted())
    #expect(received.count + dropped.withLock { $0 } == 101)
    if policy.edges.contains(.trailing) { #expect(received.count == 101) }
    #expect(!loop.isPending && script.overlaps == 0)
  }

  @Test("L9: a body is never called with an empty batch")
  func neverEmpty() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(1)])
    let loop = loop(script, .debounce(.milliseconds(50)), retry: .constant(.milliseconds(5)))
    loop.add(contentsOf: [])
    loop.add(1)
    loop.flush()
    // This element is part of the retry at 15. Its own delivery at 52 finds no element.
    add(2, to: loop, at: 2)
    scheduler.at(40) { #expect(!loop.isPending) }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "fail 10", "Failure() of [1] 10", "[1, 2] 15", "end 16"])
  }

  @Test("L9: the elements of one addition are part of one batch")
  func contents() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    scheduler.at(0) {
      loop.add(contentsOf: 1...3)
      loop.add(contentsOf: [4, 5])
    }
    scheduler.run()
    #expect(script.entries == ["[1, 2, 3, 4, 5] 0", "end 10"])
  }

  @Test("L9: a retried batch runs before newer elements, at the exact millisecond")
  func retry() {
    let script = RefreshScript(scheduler, [.failing(10), .failing(10), .ms(10)])
    let loop = loop(script, retry: .exponential(initial: .milliseconds(100)))
    add(1, 2, to: loop, at: 0)
    add(3, to: loop, at: 5)
    add(4, to: loop, at: 50)
    add(5, to: loop, at: 200)
    scheduler.run()
    #expect(
      script.entries == [
        "[1, 2] 0", "fail 10", "Failure() of [1, 2] 10",
        "[1, 2, 3, 4] 110", "fail 120", "Failure() of [1, 2, 3, 4] 120",
        "[1, 2, 3, 4, 5] 320", "end 330",
      ])
  }

  @Test("L9: a batch that is not retried goes to onError, and is not kept")
  func over() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script)
    add(1, to: loop, at: 0)
    add(2, to: loop, at: 5)
    scheduler.run()
    #expect(
      script.entries == ["[1] 0", "fail 10", "Failure() of [1] 10", "[2] 10", "end 20"])
  }

  @Test(
    "L9: after the last attempt of a batch, elements that were added in the meantime are the next batch")
  func givesUp() {
    let script = RefreshScript(scheduler, [.failing(1), .failing(1), .ms(1)])
    let loop = loop(script, retry: .custom { failures, _ in failures < 2 ? .milliseconds(5) : nil })
    add(1, to: loop, at: 0)
    scheduler.schedule(at: EventInstant(nanoseconds: 6_500_000)) { loop.add(2) }
    scheduler.run()
    #expect(
      script.entries == [
        "[1] 0", "fail 1", "Failure() of [1] 1", "[1] 6", "fail 7", "Failure() of [1] 7", "[2] 7", "end 8",
      ])
  }

  @Test("L9: the handler of an error may suspend, and the next batch waits for the handler")
  func slowHandler() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let pause = RefreshScript(scheduler, [.ms(5)])
    let loop = BatchLoop<Int>(on: scheduler, keeping: .unlimited, retry: .constant(.zero)) {
      try await script.body($0)
    } onError: { _, _ in
      try? await pause.body()
    }
    add(1, to: loop, at: 0)
    add(2, to: loop, at: 12)
    scheduler.run()
    #expect(script.entries == ["[1] 0", "fail 10", "[1, 2] 15", "end 25"])
  }

  @Test("L9: a CancellationError that the body itself throws is treated as any other error")
  func ownCancellationError() {
    let log = Log()
    let loop = BatchLoop<Int>(
      on: scheduler, keeping: .unlimited, retry: .constant(.milliseconds(5))
    ) { batch in
      log.add("\(Array(batch))")
      if log.entries.count < 2 { throw CancellationError() }
    } onError: { error, _ in
      log.add("\(error)")
    }
    loop.add(1)
    scheduler.run()
    #expect(log.entries == ["[1]", "CancellationError()", "[1]"])
  }

  @Test("L9: an element that the body adds is part of the next batch, even if the run fails")
  func additionInBody() {
    let log = Log()
    let relay = Guarded<BatchLoop<Int>?>(nil)
    let loop = BatchLoop<Int>(
      on: scheduler, keeping: .unlimited, retry: .constant(.milliseconds(5))
    ) { batch in
      log.add("\(Array(batch))")
      guard log.entries.count == 1 else { return }
      relay.withLock { $0 }?.add(2)
      throw RefreshScript.Failure()
    } onError: { _, _ in
      relay.withLock { $0 }?.add(3)
    }
    _ = relay.exchange(loop)
    loop.add(1)
    scheduler.run()
    #expect(log.entries == ["[1]", "[1, 2, 3]"])
    _ = relay.exchange(nil)
  }

  @Test("C7: isPending is true while elements wait, and flush delivers them now")
  func flush() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, .debounce(.seconds(1)), retry: .constant(.seconds(10)))
    #expect(!loop.isPending && !loop.isRunning)
    loop.flush()
    loop.add(1)
    #expect(loop.isPending)
    scheduler.at(3) {
      loop.flush()
      #expect(loop.isPending)
    }
    scheduler.at(5) {
      #expect(!loop.isPending && loop.isRunning)
      loop.add(2)
      loop.flush()
    }
    scheduler.at(20) {
      #expect(loop.isPending && !loop.isRunning)
      loop.flush()
    }
    scheduler.run()
    #expect(script.entries == ["[1] 3", "fail 13", "Failure() of [1] 13", "[1, 2] 20", "end 30"])
    #expect(!loop.isPending)
  }

  @Test("C7: cancel discards exactly the queued elements, including a batch that waits for a retry")
  func cancel() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, retry: .constant(.milliseconds(10)))
    add(1, to: loop, at: 0)
    add(2, to: loop, at: 2)
    // The batch in progress is not queued.
    scheduler.at(3) { loop.cancel() }
    add(3, to: loop, at: 4)
    scheduler.at(15) {
      #expect(loop.isPending)
      loop.cancel()
      #expect(!loop.isPending)
    }
    add(4, to: loop, at: 16)
    scheduler.run()
    #expect(script.entries == ["[1] 0", "fail 10", "Failure() of [1] 10", "[4] 16", "end 26"])
  }

  @Test("C8: a policy without edges is flagged, and every element is dropped")
  func noEdges() async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .throttle(.zero, edges: []))
    #expect(misuses.kinds == [.noEdges])
    loop.add(1)
    scheduler.run()
    #expect(!loop.isPending)
    await loop.settle()
    await loop.finish()
    #expect(script.entries == [])
  }

  @Test("C8, C9: a factor that is not a number and a limit below one are flagged")
  func badInput() {
    let script = RefreshScript(scheduler, [.failing(1), .ms(1)])
    let loop = loop(
      script, keeping: .newest(0), retry: .exponential(factor: .nan, initial: .milliseconds(4)))
    #expect(misuses.kinds == [.limitBelowOne, .notANumber])
    add(1, 2, to: loop, at: 0)
    scheduler.run()
    #expect(script.entries == ["[2]-1 0", "fail 1", "Failure() of [2]-1 1", "[2]-1 5", "end 6"])
  }

  @Test("C11: a loop that adds its own elements is flagged once, and continues")
  func feedback() {
    let relay = Guarded<BatchLoop<Int>?>(nil)
    let loop = BatchLoop<Int>(on: scheduler, keeping: .newest(1), misuse: misuses.handler) { batch in
      if batch.first! < 10_010 { relay.withLock { $0 }?.add(batch.first! + 1) }
    }
    _ = relay.exchange(loop)
    loop.add(0)
    scheduler.run()
    #expect(misuses.kinds == (isDebug ? [.feedback] : []))
    _ = relay.exchange(nil)
  }
}
