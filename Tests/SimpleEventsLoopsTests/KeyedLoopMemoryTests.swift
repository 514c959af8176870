#if canImport(Glibc) && arch(x86_64)
  import SimpleEvents
  import SimpleEventsLoops
  import SimpleEventsTesting
  import TestSupport
  import Testing

  /// K2: the heap in use before and after a million keys, measured in processes in which no other test
  /// allocates.
  @Suite(.serialized, .enabled(if: !Stress.isSanitized, "a sanitizer brings its own allocator"))
  struct KeyedLoopMemoryTests {
    @Test("K2: keys that came and went, also failed keys, leave as much memory in use as before")
    func windows() async {
      await #expect(processExitsWith: .success) {
        requireNoGrowth(.nextTurn, keys: 1_000_000)
        requireNoGrowth(.debounce(.milliseconds(10)), keys: 20_000)
        requireNoGrowth(.throttle(.milliseconds(10)), keys: 20_000)
        requireNoGrowth(.throttle(.milliseconds(10), edges: .leading), keys: 20_000)
      }
    }
  }

  private struct Failure: Error {
    /// The error of all runs. The testing library keeps a record of each thrown error object, so a new object
    /// for each run would let the heap grow.
    static let shared: any Error = Failure()
  }

  /// Stops the process if keys that came and went have left memory in use.
  private func requireNoGrowth(_ policy: CoalescingPolicy, keys: Int) {
    let scheduler = TestScheduler()
    let loop = KeyedRefreshLoop<Int>(
      on: scheduler, policy: policy, retry: .custom { failures, _ in failures == 1 ? .milliseconds(1) : nil },
      maxConcurrentRuns: 16
    ) { key in
      if key % 7 == 0 { throw Failure.shared }
    } onError: { _, _ in
    }
    func come(_ keys: Range<Int>) {
      for key in keys {
        loop.request(key)
        if key % 500 == 499 { scheduler.advance(by: .milliseconds(15)) }
      }
      scheduler.run()
      if loop.entryCount > 0 || scheduler.pendingCount > 0 { fatalError("\(loop.entryCount) keys are left") }
    }
    // At most this number of keys exist at the same time. Later keys use the memory of the first keys again.
    let first = Stress.size(5000)
    let count = Stress.rounds(keys)
    come(0..<first)
    let before = heapBytes()
    come(first..<first + count)
    let growth = heapBytes() - before
    if growth > 1 << 14 { fatalError("\(policy): the heap grew by \(growth) bytes") }
  }
#endif
