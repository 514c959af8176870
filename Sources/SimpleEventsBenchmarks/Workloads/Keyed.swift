internal import Dispatch
internal import SimpleEvents

/// One of many pending keys is signalled.
enum Keyed {
  static var workloads: [Workload] { [debounced, joined, collected, threads] }

  /// The length of a window. It is so long that no window ends during a run.
  private static let window: Duration = .seconds(3600)
  private static let sizes: [Int] = [1000, 10_000, 100_000, 1_000_000]
  /// The size of a key in bytes. The limit of the bar includes these bytes.
  private static let keyBytes: Double = 8

  /// A signal moves the end of the window of its key.
  private static var debounced: Workload {
    let baseline = "locked dictionary of deadlines"
    return Workload(
      "keyed", unit: "signal", sizes: sizes, mainSize: 1000, quickSize: 1000, baseline: baseline,
      bars: [
        .ratio(1.5, to: baseline), .ratio(1.5, to: baseline, at: 1_000_000),
        .count(.heapBytesEach, atMost: 112 + keyBytes),
      ],
      subjects: [
        Subject("SimpleEvents KeyedCallback, debounce") { ours($0, .debounce(window)) },
        Subject(baseline) { fixture in
          let queue = fixture.queue()
          let deadlines = LockedDictionary<EventInstant>()
          return trial(fixture, keeping: deadlines) { key in
            let deadline = queue.now.advanced(by: window)
            deadlines.update(key) { $0 = deadline }
          }
        },
        Subject(Baseline.callbacks, divisor: 10) { fixture in
          let callbacks = CallbackDictionary(fixture.scheduler(fixture.queue()), .debounce(window)) { _ in }
          return trial(fixture, keeping: callbacks) { callbacks.schedule($0) }
        },
      ])
  }

  /// A signal joins the pending delivery of its key.
  private static var joined: Workload {
    let baseline = "locked dictionary of counts"
    return Workload(
      "keyed-joined", unit: "signal", sizes: sizes, mainSize: 1000, quickSize: 1000, baseline: baseline,
      bars: [.ratio(1.5, to: baseline), .ratio(1.5, to: baseline, at: 1_000_000)],
      subjects: [
        Subject("SimpleEvents KeyedCallback, audit") { ours($0, .audit(window)) },
        Subject(baseline) { fixture in
          let counts = LockedDictionary<Int>()
          return trial(fixture, keeping: counts) { key in counts.update(key) { $0 = ($0 ?? 0) &+ 1 } }
        },
      ])
  }

  /// An element is added to a key. The delivery of the key is pending, and the key has as many elements as
  /// the limit allows.
  private static var collected: Workload {
    let limit = 10
    let baseline = "locked dictionary of arrays"
    return Workload(
      // The caches do not hold a million keys, so an element takes longer at that size. The dictionary of the
      // baseline has as many keys as the collector.
      "keyed-collector", unit: "element", sizes: [1000, 1_000_000], quickSize: 1000, growsWithSize: true,
      baseline: baseline,
      bars: [.ratio(1.5, to: baseline), .ratio(2.6, to: baseline, at: 1_000_000)],
      subjects: [
        Subject("SimpleEvents KeyedCollector, audit") { fixture in
          let collector = KeyedCollector<Int, Int>(
            on: fixture.queue(), policy: .audit(window), keeping: .newest(limit)
          ) { _, _ in }
          for key in 0..<fixture.n { collector.add(contentsOf: 0..<limit, for: key) }
          return trial(fixture, keeping: collector) { collector.add($0, for: $0) }
        },
        Subject(baseline) { fixture in
          let arrays = LockedDictionary<[Int]>()
          for key in 0..<fixture.n { arrays.update(key) { $0 = Array(0..<limit) } }
          return trial(fixture, keeping: arrays) { key in
            arrays.update(key) { elements in
              // Elements are moved at twice the limit, so that the cost of the move is spread over many
              // additions.
              if elements?.count == 2 * limit { elements?.removeFirst(limit) }
              if elements?.append(key) == nil { elements = [key] }
            }
          }
        },
      ])
  }

  /// Four threads signal at the same time, and each signal joins the pending delivery of its key.
  private static var threads: Workload {
    let baseline = "locked dictionary of counts"
    return Workload(
      "keyed-threads", unit: "signal", sizes: [1000, 1_000_000], mainSize: 1000, quickSize: 1000,
      parallelism: .threads(4), repetitions: 15, baseline: baseline,
      bars: [.ratio(1.5, to: baseline), .ratio(1.5, to: baseline, at: 1_000_000)],
      subjects: [
        Subject("SimpleEvents KeyedCallback, audit") { ours($0, .audit(window), threads: 4) },
        Subject(baseline) { fixture in
          let counts = LockedDictionary<Int>()
          return trial(fixture, threads: 4, keeping: counts) { key in
            counts.update(key) { $0 = ($0 ?? 0) &+ 1 }
          }
        },
      ])
  }

  private static func ours(_ fixture: Fixture, _ policy: CoalescingPolicy, threads: Int = 1) -> Trial {
    let queue = fixture.queue()
    fixture.markHeap()
    let sink = fixture.sink
    let callback = KeyedCallback<Int>(on: queue, policy: policy) { _ in sink.hit() }
    return trial(fixture, threads: threads, keeping: callback) { callback.schedule($0) }
  }

  /// A trial that signals every key once in each run, in an order without a pattern. All keys are pending
  /// before the first run, and stay pending.
  private static func trial(
    _ fixture: Fixture, threads: Int = 1, keeping object: AnyObject,
    _ signal: @escaping @Sendable (Int) -> Void
  ) -> Trial {
    let n = fixture.n
    // Each step of the loop maps the numbers from zero to `mask` one to one, so a run reaches every key once.
    // A multiplication alone would give keys at equal distances, and the processor would load the memory of
    // the next keys in advance.
    var size = 1
    while size < n { size *= 2 }
    for key in 0..<n { signal(key) }
    let mask = size - 1
    let shift = max(1, size.trailingZeroBitCount / 2)
    return Trial(
      operations: n, deliveries: { _, _ in 0...0 }, settle: { withExtendedLifetime(object) {} }
    ) {
      Threads.share(n, among: threads) { index in
        var key = index
        repeat {
          key = (key &* 0x9E37_79B1 &+ 1) & mask
          key ^= key >> shift
          key = (key &* 0x85EB_CA6B) & mask
          key ^= key >> shift
        } while key >= n
        signal(key)
      }
    }
  }
}
