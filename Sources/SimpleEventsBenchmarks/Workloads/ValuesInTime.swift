internal import Dispatch
internal import SimpleEvents
internal import SimpleObservables

/// Values are sent to a subscriber on a queue, coalesced or one by one.
enum ValuesInTime {
  static var workloads: [Workload] {
    [pending, contended(2), contended(4), debounce, throttle, observed(1), observed(2)]
  }

  private static let window: Duration = .milliseconds(10)
  private static let sizes: [Int] = [10_000, 100_000, 1_000_000]
  /// The sizes for several threads. Runs at these sizes are short, see `Workload.many`.
  private static let parallelSizes: [Int] = [10_000, 100_000]

  /// Values are sent while a delivery is pending.
  private static var pending: Workload {
    coalescing("values-coalesced", threads: 1, sizes, Baseline.source, [.ratio(1, to: Baseline.source)])
  }

  /// Several threads send values at the same time, while a delivery is pending.
  ///
  /// The result is the total time divided by the number of values that all threads send.
  private static func contended(_ threads: Int) -> Workload {
    coalescing(
      threads == 2 ? "values-coalesced-two-senders" : "values-coalesced-four-senders", threads: threads,
      parallelSizes, Baseline.lockedLatest,
      threads == 2 ? [.ratio(3.5, to: Baseline.lockedLatest)] : [])
  }

  private static func coalescing(
    _ name: String, threads: Int, _ sizes: [Int], _ baseline: String, _ bars: [Bar]
  ) -> Workload {
    Workload(
      name, unit: "value", sizes: sizes, mainSize: sizes.last, quickSize: 10_000,
      parallelism: .threads(threads), baseline: baseline,
      bars: bars + [.count(.deliveries, atMost: 1), .count(.peakKibibytes, atMost: 1024)],
      subjects: [
        coalesced(threads), locked(threads), source(threads),
        stream(threads, .bufferingNewest(1), Baseline.stream),
      ])
  }

  private static func coalesced(_ threads: Int) -> Subject {
    Subject("SimpleEvents coalesced") { fixture in
      let queue = fixture.queue()
      let sink = fixture.sink
      let subject = PublishSubject<Int>()
      let token = subject.coalesced(on: fixture.scheduler(queue), policy: .nextTurn).subscribe {
        sink.take($0)
      }
      return .pending(fixture, queue, keeping: token) {
        Threads.share(fixture.n, among: threads) { subject.update($0) }
      }
    }
  }

  private static func locked(_ threads: Int) -> Subject {
    Subject(Baseline.lockedLatest) { fixture in
      let queue = fixture.queue()
      let sink = fixture.sink
      let latest = LockedLatest(queue) { sink.take($0) }
      return .pending(fixture, queue, keeping: latest) {
        Threads.share(fixture.n, among: threads) { latest.update($0) }
      }
    }
  }

  private static func source(_ threads: Int) -> Subject {
    Subject(Baseline.source) { fixture in
      let queue = fixture.queue()
      let sink = fixture.sink
      let source = Source(queue) { sink.hit() }
      return .pending(fixture, queue, keeping: nil) {
        Threads.share(fixture.n, among: threads) { _ in source.trigger() }
      }
    }
  }

  private static func stream(
    _ threads: Int, _ policy: AsyncStream<Int>.Continuation.BufferingPolicy, _ name: String
  ) -> Subject {
    Subject(name) { fixture in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
      return Trial(
        operations: fixture.n, isRepeatable: false, deliveries: nil,
        settle: { withExtendedLifetime(stream) {} }
      ) {
        Threads.share(fixture.n, among: threads) { continuation.yield($0) }
      }
    }
  }

  private static var debounce: Workload {
    storm("values-debounce-storm", Baseline.clockAndLocks) { $0.debounce(window, on: $1) }
  }

  private static var throttle: Workload {
    storm("values-throttle-storm", Baseline.locks) { $0.throttle(window, on: $1) }
  }

  /// Values are sent in a tight loop, with windows of 10 ms, on the real clock. Each value takes the lock of
  /// the subject twice, and the lock of the window once.
  private static func storm(
    _ name: String, _ floor: String,
    _ operation: @escaping (Observable<Int>, DispatchQueue) -> Observable<Int>
  ) -> Workload {
    Workload(
      name, unit: "value", sizes: sizes, mainSize: 1_000_000, quickSize: 10_000, baseline: floor,
      bars: [.ratio(1.3, to: floor), .count(.peakKibibytes, atMost: 1024)],
      subjects: [
        Subject("SimpleEvents values") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let subject = PublishSubject<Int>()
          let last = DispatchSemaphore(value: 0)
          let token = operation(subject, queue).subscribe { value in
            sink.hit()
            if value == fixture.n - 1 { last.signal() }
          }
          return Trial(
            operations: fixture.n, isRepeatable: false,
            deliveries: { _, nanoseconds in 1...2 + Int(nanoseconds / 10_000_000) },
            settle: {
              last.wait()
              queue.sync {}
              withExtendedLifetime(token) {}
            }
          ) {
            for number in 0..<fixture.n { subject.update(number) }
          }
        },
        .clock, .locks(3, readsClock: floor == Baseline.clockAndLocks, floor),
      ])
  }

  /// One or two threads send values that stay pending on a queue. The heap is measured after the delivery of
  /// the values.
  private static func observed(_ threads: Int) -> Workload {
    let sizes = threads == 1 ? sizes : parallelSizes
    return Workload(
      threads == 1 ? "values-observe-on" : "values-observe-on-two-senders", unit: "value", sizes: sizes,
      mainSize: sizes.last, quickSize: 10_000, parallelism: .threads(threads), baseline: Baseline.async,
      bars: [.ratio(threads == 1 ? 0.5 : 1, to: Baseline.async), .count(.heapBytesEach, atMost: 1)],
      subjects: [
        Subject("SimpleEvents observe(on:)") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let subject = PublishSubject<Int>()
          let token = subject.observe(on: fixture.scheduler(queue)).subscribe { sink.take($0) }
          return backlog(fixture, queue, threads, keeping: token) { subject.update($0) }
        },
        Subject(Baseline.async) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          return backlog(fixture, queue, threads, keeping: nil) { value in
            queue.async { sink.take(value) }
          }
        },
        stream(threads, .unbounded, Baseline.unboundedStream),
      ])
  }

  /// A trial on a queue. The queue is busy until all values were sent, and then delivers each value.
  private static func backlog(
    _ fixture: Fixture, _ queue: DispatchQueue, _ threads: Int, keeping token: AnyObject?,
    _ send: @escaping @Sendable (Int) -> Void
  ) -> Trial {
    let sink = fixture.sink
    let blockade = BlockedQueue(queue)
    fixture.markHeap()
    sink.target = fixture.n
    return Trial(
      operations: fixture.n, isRepeatable: false, deliveries: { _, _ in fixture.n...fixture.n },
      settle: {
        blockade.lift()
        sink.wait()
        queue.sync {}
        withExtendedLifetime(token) {}
      }
    ) {
      Threads.share(fixture.n, among: threads, send)
    }
  }
}
