#if canImport(Glibc) && arch(x86_64)
  import SimpleEvents
  import SimpleEventsTesting
  import TestSupport
  import Testing

  /// K2: the heap in use before and after a million keys, measured in processes in which no other test
  /// allocates.
  @Suite(.serialized, .enabled(if: !Stress.isSanitized, "a sanitizer brings its own allocator"))
  struct KeyedMemoryTests {
    @Test("K2: keys that came and went leave as much memory in use as before, for each policy")
    func callback() async {
      await #expect(processExitsWith: .success) {
        for policy in Policies.all {
          let scheduler = TestScheduler()
          let callback = KeyedCallback<Int>(on: scheduler, policy: policy) { _ in }
          requireNoGrowth("\(policy)", on: scheduler) {
            callback.schedule($0)
          } count: {
            callback.keys.entryCount
          }
        }
      }
    }

    @Test("K2: keys with elements that came and went leave as much memory in use as before, for each policy")
    func collector() async {
      await #expect(processExitsWith: .success) {
        for policy in Policies.all {
          let scheduler = TestScheduler()
          let collector = KeyedCollector<Int, Int>(on: scheduler, policy: policy, keeping: .newest(2)) {
            _, _ in
          }
          requireNoGrowth("\(policy)", on: scheduler) {
            collector.add(contentsOf: [1, 2, 3], for: $0)
          } count: {
            collector.entryCount
          }
        }
      }
    }
  }

  /// Stops the process if keys that came and went have left memory in use.
  private func requireNoGrowth(
    _ name: String, on scheduler: TestScheduler, signal: (Int) -> Void, count: () -> Int
  ) {
    func come(_ keys: Range<Int>) {
      for key in keys {
        signal(key)
        if key % 500 == 499 { scheduler.advance(by: .milliseconds(15)) }
      }
      scheduler.run()
      if count() > 0 || scheduler.pendingCount > 0 { fatalError("\(name): \(count()) keys are left") }
    }
    // At most this number of keys exist at the same time. Later keys use the memory of the first keys again.
    let first = Stress.size(5000)
    let all = Stress.rounds(1_000_000 / Policies.all.count)
    come(0..<first)
    let before = heapBytes()
    come(first..<first + all)
    let growth = heapBytes() - before
    if growth > 1 << 14 { fatalError("\(name): the heap grew by \(growth) bytes") }
    // All these keys exist at the same time. Their memory is given back.
    for key in 0..<Stress.size(4000) { signal(key) }
    scheduler.run()
    let peakGrowth = heapBytes() - before
    if peakGrowth > 1 << 14 { fatalError("\(name): a peak has left \(peakGrowth) bytes") }
  }
#endif
