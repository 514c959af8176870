#if canImport(Glibc) && arch(x86_64)
  import SimpleEvents
  import SimpleEventsLoops
  import SimpleEventsTesting
  import TestSupport
  import Testing

  /// K2: the heap in use before and after a million keys, in processes where no other test allocates.
  @Suite(.serialized, .enabled(if: !Stress.isSanitized, "a sanitizer brings its own allocator"))
  struct KeyedLoopMemoryTests {
    @Test("K2: 1,000,000 keys that came and went leave the memory of the start")
    func windows() async {
      await #expect(processExitsWith: .success) {
        requireNoGrowth(.nextTurn)
        requireNoGrowth(.debounce(.milliseconds(10)))
        requireNoGrowth(.throttle(.milliseconds(10)))
        requireNoGrowth(.throttle(.milliseconds(10), edges: .leading))
      }
    }
  }

  /// Stops the process if keys that came and went have left memory behind.
  private func requireNoGrowth(_ policy: CoalescingPolicy) {
    let scheduler = TestScheduler()
    let loop = KeyedRefreshLoop<Int>(on: scheduler, policy: policy, maxConcurrentRuns: 16) { _ in }
    func come(_ keys: Range<Int>) {
      for key in keys {
        loop.request(key)
        if key % 1000 == 999 { scheduler.advance(by: .milliseconds(15)) }
      }
      scheduler.run()
      if loop.entryCount > 0 || scheduler.pendingCount > 0 { fatalError("\(loop.entryCount) keys are left") }
    }
    let count = Stress.rounds(1_000_000)
    come(0..<count / 10)
    let before = heapBytes()
    come(count / 10..<count)
    let growth = heapBytes() - before
    if growth > 1 << 17 { fatalError("\(policy): the heap grew by \(growth) bytes") }
  }
#endif
