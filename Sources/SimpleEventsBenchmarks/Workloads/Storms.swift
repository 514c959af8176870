internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// Signals in a tight loop, with windows of 10 ms, on the real clock.
enum Storms {
  static var workloads: [Workload] { [debounce, throttle] }

  private static let window: Duration = .milliseconds(10)
  private static let windowNanoseconds: Double = 10_000_000
  private static let sizes: [Int] = [10_000, 100_000, 1_000_000]

  private static var debounce: Workload {
    Workload(
      "debounce-storm", unit: "signal", sizes: sizes, mainSize: 1_000_000, quickSize: 10_000,
      baseline: Baseline.clockAndLock,
      bars: [
        .ratio(1.3, to: Baseline.clockAndLock), .count(.deliveries, atMost: 1),
        .count(.peakKibibytes, atMost: 1024),
      ],
      subjects: [
        Subject("SimpleEvents debounce", prepare: ours(.debounce(window), idle: 1)),
        .clock, .locks(1, readsClock: true, Baseline.clockAndLock),
        Subject(Baseline.timer, divisor: 10, prepare: timer),
        Subject(Baseline.workItem, divisor: 100, prepare: workItem),
      ])
  }

  private static var throttle: Workload {
    Workload(
      "throttle-storm", unit: "signal", sizes: sizes, mainSize: 1_000_000, quickSize: 10_000,
      baseline: Baseline.clock,
      bars: [.ratio(0.3, to: Baseline.clock), .count(.peakKibibytes, atMost: 1024)],
      subjects: [
        Subject("SimpleEvents throttle", prepare: ours(.throttle(window), idle: 2)),
        .clock,
        Subject(Baseline.exchange) { fixture in
          let flag = Flag()
          return Trial(operations: fixture.n, deliveries: nil) {
            for _ in 0..<fixture.n {
              _ = flag.set()
            }
          }
        },
        Subject("time of the last one compared") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          var last: UInt64 = 0
          return Trial(
            operations: fixture.n, isRepeatable: false, deliveries: deliveries(2), settle: { queue.sync {} }
          ) {
            for _ in 0..<fixture.n {
              let now = DispatchTime.now().uptimeNanoseconds
              if Double(now - last) >= windowNanoseconds {
                last = now
                queue.async { sink.hit() }
              }
            }
          }
        },
        Subject("SimpleEvents audit", prepare: ours(.audit(window), idle: 1)),
      ])
  }

  /// Returns the number of deliveries that a storm may have.
  ///
  /// Each window that passes during the storm allows one more delivery, because the machine may suspend the
  /// signalling thread for longer than a window.
  ///
  /// - Parameter idle: The number of deliveries of a storm that takes no time.
  private static func deliveries(_ idle: Int) -> (Int, Double) -> ClosedRange<Int> {
    { _, nanoseconds in 1...idle + Int(nanoseconds / windowNanoseconds) }
  }

  private static func ours(_ policy: CoalescingPolicy, idle: Int) -> (Fixture) -> Trial {
    { fixture in
      let queue = fixture.queue()
      let sink = fixture.sink
      let callback = CoalescingCallback(on: fixture.scheduler(queue), policy: policy) { sink.hit() }
      return Trial(
        operations: fixture.n, isRepeatable: false, deliveries: deliveries(idle),
        settle: {
          while callback.isPending {
            pause(queue)
          }
          queue.sync {}
        }
      ) {
        for _ in 0..<fixture.n {
          callback.schedule()
        }
      }
    }
  }

  private static func timer(_ fixture: Fixture) -> Trial {
    let queue = fixture.queue()
    let sink = fixture.sink
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { sink.hitAndSignal() }
    timer.activate()
    return Trial(
      operations: fixture.n, isRepeatable: false, deliveries: deliveries(1),
      settle: {
        sink.wait()
        timer.cancel()
        queue.sync {}
      }
    ) {
      for _ in 0..<fixture.n {
        timer.schedule(deadline: .now() + .milliseconds(10))
      }
      fixture.countTimers(fixture.n)
    }
  }

  private static func workItem(_ fixture: Fixture) -> Trial {
    let queue = fixture.queue()
    let sink = fixture.sink
    var item: DispatchWorkItem?
    return Trial(
      operations: fixture.n, isRepeatable: false, deliveries: deliveries(1),
      settle: {
        sink.wait()
        item = nil
        queue.sync {}
      }
    ) {
      for _ in 0..<fixture.n {
        item?.cancel()
        let next = DispatchWorkItem { sink.hitAndSignal() }
        queue.asyncAfter(deadline: .now() + .milliseconds(10), execute: next)
        item = next
      }
      fixture.countTimers(fixture.n)
    }
  }

  /// Waits for a millisecond.
  private static func pause(_ queue: DispatchQueue) {
    let semaphore = DispatchSemaphore(value: 0)
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) { semaphore.signal() }
    semaphore.wait()
  }
}

extension Subject {
  /// The least work of a signal. Each operation changes a state under a lock as often as the library does,
  /// and reads the clock if the library reads the clock.
  static func locks(_ count: Int, readsClock: Bool, _ name: String) -> Subject {
    Subject(name) { fixture in
      let queue = fixture.queue()
      let latest = Latest()
      return Trial(operations: fixture.n, deliveries: nil) {
        for number in 0..<fixture.n {
          let instant = readsClock ? Int(truncatingIfNeeded: queue.now.nanoseconds) : number
          for _ in 0..<count { latest.value.withLock { $0 = max($0, instant) } }
        }
        fixture.sink.swallow(latest.value.withLock { $0 })
      }
    }
  }

  private final class Latest: Sendable {
    let value: Mutex<Int> = Mutex(0)
  }

  /// Reads the uptime clock once for each operation.
  static var clock: Subject {
    Subject(Baseline.clock) { fixture in
      let queue = fixture.queue()
      return Trial(operations: fixture.n, deliveries: nil) {
        for _ in 0..<fixture.n {
          fixture.sink.swallow(Int(truncatingIfNeeded: queue.now.nanoseconds))
        }
      }
    }
  }
}
