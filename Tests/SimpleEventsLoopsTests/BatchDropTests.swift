import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// C9 and L9: the elements that `onDrop` of a batch loop receives.
struct BatchDropTests {
  private let scheduler = TestScheduler()

  /// Returns a loop that records its batches, the batches of its errors, and the elements that it drops.
  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Int> = .newest(2), retry: Backoff = .never
  ) -> BatchLoop<Int> {
    BatchLoop(
      on: scheduler, policy: policy, keeping: limit, onDrop: { script.add("drop \($0)") }, retry: retry
    ) {
      try await script.body($0)
    } onError: { _, batch in
      script.add("error of \(Array(batch))")
    }
  }

  @Test("C9: onDrop receives the elements that the limit displaces, during the addition")
  func displaced() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    scheduler.at(0) { loop.add(contentsOf: 1...3) }
    scheduler.at(5) { for number in 4...6 { loop.add(number) } }
    scheduler.run()
    #expect(
      script.entries
        == ["drop 1 0", "[2, 3]-1 0", "drop 4 5", "end 10", "[5, 6]-1 10", "end 20"])
  }

  @Test(
    "L8, L9: a batch whose body has cancelled its own task is dropped, and the loop continues",
    arguments: [true, false])
  func ownCancellation(isHosted: Bool) {
    let script = RefreshScript(scheduler, [])
    let body: BatchLoop<Int>.Body = { batch in
      script.add("\(Array(batch))")
      guard batch.contains(1) else { return }
      withUnsafeCurrentTask { $0?.cancel() }
      try Task.checkCancellation()
    }
    let onDrop: @Sendable (Int) -> Void = { script.add("drop \($0)") }
    let onError: BatchLoop<Int>.ErrorHandler = { error, _ in script.add("\(error)") }
    let loop =
      isHosted
      ? BatchLoop(on: scheduler, keeping: .newest(2), onDrop: onDrop, retry: .never)
      : BatchLoop(on: scheduler, keeping: .newest(2), onDrop: onDrop, body: body, onError: onError)
    let host = Task(executorPreference: scheduler) {
      if isHosted { await loop.run(body, onError: onError) }
    }
    scheduler.at(0) { loop.add(1) }
    scheduler.at(5) { loop.add(2) }
    scheduler.advance(by: .milliseconds(10))
    #expect(script.entries == ["[1] 0", "drop 1 0", "[2] 5"])
    host.cancel()
    scheduler.run()
  }

  @Test("L8: a hosted run whose onError has cancelled its own task is retried")
  func ownCancellationInHandler() {
    let script = RefreshScript(scheduler, [.failing(1), .ms(1)])
    let loop = BatchLoop<Int>(
      on: scheduler, keeping: .newest(2), onDrop: { script.add("drop \($0)") },
      retry: .constant(.milliseconds(10)))
    let host = Task(executorPreference: scheduler) {
      await loop.run {
        try await script.body($0)
      } onError: { _, _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    scheduler.at(0) { loop.add(1) }
    scheduler.advance(by: .milliseconds(20))
    #expect(script.entries == ["[1] 0", "fail 1", "[1] 11", "end 12"])
    host.cancel()
    scheduler.run()
  }

  @Test("C9: onDrop receives the elements that a leading-only policy ignores")
  func ignored() {
    let script = RefreshScript(scheduler, [.ms(1)])
    let loop = loop(script, .throttle(.milliseconds(100), edges: .leading))
    scheduler.at(0) { loop.add(1) }
    scheduler.at(5) { loop.add(2) }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "end 1", "drop 2 5"])
  }

  @Test("C9, L9: onDrop receives the elements that a merge with a retried batch drops, before the attempt")
  func merged() {
    for (limit, dropped) in [(ElementLimit<Int>.newest(2), 1), (.oldest(2), 3), (.distinct(2), 3)] {
      let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
      let loop = loop(script, keeping: limit, retry: .constant(.milliseconds(10)))
      let start = scheduler.milliseconds
      scheduler.at(start) { loop.add(contentsOf: [1, 2]) }
      scheduler.at(start + 15) { loop.add(3) }
      scheduler.run()
      let kept = dropped == 1 ? "[2, 3]" : "[1, 2]"
      #expect(
        script.entries
          == [
            "[1, 2] \(start)", "fail \(start + 10)", "error of [1, 2] \(start + 10)",
            "drop \(dropped) \(start + 20)", "\(kept)-1 \(start + 20)", "end \(start + 30)",
          ])
    }
  }

  @Test("C7, C9: onDrop receives the elements that cancel discards, beginning with a retried batch")
  func cancelled() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, keeping: .unlimited, retry: .constant(.milliseconds(10)))
    scheduler.at(0) { loop.add(contentsOf: [1, 2]) }
    scheduler.at(5) { loop.add(3) }
    scheduler.at(15) {
      #expect(loop.count == 3)
      loop.cancel()
      #expect(loop.count == 0)
    }
    scheduler.run()
    #expect(
      script.entries
        == [
          "[1, 2] 0", "fail 10", "error of [1, 2] 10", "drop 1 15", "drop 2 15", "drop 3 15",
        ])
  }

  @Test("C9, L5: onDrop receives what is queued at stop before stop returns, and what is added later")
  func stopped() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    scheduler.at(0) { loop.add(1) }
    scheduler.at(5) {
      loop.add(2)
      Task(executorPreference: scheduler) {
        await loop.stop()
        script.add("stopped")
        loop.add(3)
        loop.add(contentsOf: [4])
      }
    }
    scheduler.run()
    #expect(
      script.entries
        == ["[1] 0", "drop 2 5", "end 10", "stopped 10", "drop 3 10", "drop 4 10"])
  }

  @Test("C9, L5: onDrop receives the elements added after finish, and no element of the last run")
  func finished() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.seconds(1)))
    scheduler.at(0) {
      loop.add(1)
      Task(executorPreference: scheduler) { await loop.finish() }
    }
    scheduler.at(5) { loop.add(2) }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "drop 2 5", "end 10"])
  }

  @Test("C9, L5: onDrop receives the elements that are queued at the deallocation, and none of a run")
  func deallocated() {
    let script = RefreshScript(scheduler, [.failing(10)])
    var loop: BatchLoop<Int>? = loop(script, keeping: .unlimited)
    loop?.add(1)
    scheduler.advance(by: .milliseconds(5))
    loop?.add(contentsOf: [2, 3])
    loop = nil
    scheduler.run()
    #expect(script.entries == ["[1] 0", "drop 2 5", "drop 3 5", "fail 10", "error of [1] 10"])
  }

  @Test("C9: onDrop receives the elements of a loop that never had a host")
  func neglected() {
    let log = Log()
    do {
      let loop = BatchLoop<Int>(
        on: scheduler, keeping: .unlimited, onDrop: { log.add("drop \($0)") }, retry: .never)
      loop.add(contentsOf: [1, 2])
      scheduler.run()
      #expect(log.entries == [])
    }
    #expect(log.entries == ["drop 1", "drop 2"])
  }

  @Test("C9, S7: onDrop receives the elements that the loss of the scheduler discards")
  func lost() {
    let scheduler = ForgetfulScheduler()
    let log = Log()
    let loop = BatchLoop<Int>(
      on: scheduler, policy: .debounce(.seconds(1)), keeping: .unlimited, onDrop: { log.add("drop \($0)") },
      retry: .never)
    loop.add(1)
    scheduler.forget()
    #expect(log.entries == ["drop 1"] && !loop.isPending)
  }

  @Test("C9, H5: onDrop may add, cancel and flush")
  func reentrant() {
    let script = RefreshScript(scheduler, [.ms(1)])
    let itself = Guarded<BatchLoop<Int>?>(nil)
    let loop = BatchLoop<Int>(
      on: scheduler, policy: .debounce(.milliseconds(10)), keeping: .oldest(1),
      onDrop: { element in
        script.add("drop \(element)")
        guard let loop = itself.withLock({ $0 }) else { return }
        switch element {
        case 2: loop.flush()
        case 4: loop.cancel()
        default: loop.add(element * 10)
        }
      }
    ) { batch in
      try? await script.body(batch)
    }
    _ = itself.exchange(loop)
    scheduler.at(0) {
      loop.add(1)
      loop.add(2)
    }
    scheduler.at(20) {
      loop.add(3)
      loop.add(4)
    }
    scheduler.run()
    #expect(
      script.entries
        == ["drop 2 0", "[1]-1 0", "end 1", "drop 4 20", "drop 3 20", "[30] 30", "end 31"])
    _ = itself.exchange(nil)
  }

  @Test("C9: a trailing closure of a loop is its body")
  func trailingClosure() {
    let log = Log()
    let loop = BatchLoop<Int>(on: scheduler, keeping: .newest(1)) { batch in log.add("\(batch)") }
    loop.add(1)
    loop.add(2)
    scheduler.run()
    #expect(log.entries.count == 1 && log.entries[0].hasPrefix("ElementBatch"))
  }
}
