internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A callback that records the instants of its deliveries, and the calls that signal it.
private final class Windows {
  let queue: DispatchQueue
  private(set) var instants: [Int64] = []
  private(set) var callback: CoalescingCallback?
  private let watch: Deliveries = Deliveries()
  /// The number of calls that signal. A call is counted when it begins.
  private var signals: Int = 0
  /// The fibers that are inside a call that signals.
  private var callers: Set<Int> = []

  init(_ policy: CoalescingPolicy, on queue: DispatchQueue) {
    self.queue = queue
    callback = makeCallback(on: queue, policy) { [unowned self] in
      watch.take {
        expect(!callers.contains(engine.current), "C5: a signal does not deliver before it returns")
        instants.append(engine.time.now)
        // NB: instants are not compared. Two late deliveries, one on a turn and one at the end of a window,
        // can have the same instant and a signal between them, because time stands still unless the clock is
        // read.
        expect(instants.count <= signals, "C2: each delivery has a signal that no other has delivered")
      }
    }
  }

  /// Signals; returns the instants before and after the call, in milliseconds.
  @discardableResult
  func signal() -> ClosedRange<Double> {
    let start = milliseconds(engine.time.now)
    signals += 1
    callers.insert(engine.current)
    callback!.schedule()
    callers.remove(engine.current)
    return start...milliseconds(engine.time.now)
  }

  /// The instants of the deliveries, in milliseconds from the start.
  var deliveries: [Double] { instants.map(milliseconds) }

  /// The next deadline, in milliseconds from the start; nil if there is none.
  var deadline: Double? { engine.time.next.map(milliseconds) }

  private func milliseconds(_ instant: Int64) -> Double { Double(instant - VirtualTime.start) / 1_000_000 }
}

/// The queue is busy when a window ends. The next window begins at the end of the first window, not at the
/// late delivery.
func lateWindows(_ kind: QueueKind) -> Scenario {
  Scenario("late-windows-\(kind)", "C1 C2 C5 C6") {
    let windows = Windows(.throttle(.milliseconds(10)), on: kind.make())
    parallel(
      {
        let first = windows.signal()
        sleep(until: 3)
        let second = windows.signal()
        // This work keeps all workers of the queue busy.
        for _ in 0..<(kind == .serial ? 1 : 2) { windows.queue.run { sleep(until: 14) } }
        sleep(until: 16)
        let last = windows.signal()
        // Time may have passed inside a call. In that case another window is open, or the queue was not busy
        // in time.
        guard first.upperBound < 1, second.upperBound < 4, last.upperBound < 17,
          windows.deliveries.count == 2, windows.deliveries[0] < 3, windows.deliveries[1] > 14,
          let deadline = windows.deadline
        else { return }
        expect(deadline < 21, "C6: a window is measured from the end of the one before")
      },
      { _ = windows.callback!.isPending })
    settle()
    expect(!windows.callback!.isPending, "C2: nothing stays pending")
    expect((1...3).contains(windows.deliveries.count), "C2: each signal is delivered at most once")
  }
}

/// Two threads signal inside a window, and one signal is on its way when the window ends. The signal that has
/// returned is delivered at the end of the window.
func joinedWindows(_ kind: QueueKind) -> Scenario {
  Scenario("joined-windows-\(kind)", "C2 C6") {
    let windows = Windows(.throttle(.milliseconds(10), edges: .trailing), on: kind.make())
    windows.signal()
    var second: ClosedRange<Double>?
    parallel(
      {
        sleep(until: 13)
        windows.signal()
      },
      {
        sleep(until: 13)
        second = windows.signal()
      })
    sleep(until: 21)
    drain()
    if let second, let opened = windows.deliveries.first, opened < 11, second.upperBound < 20 {
      expect(
        windows.deliveries.count > 1, "C6: a signal that has returned is delivered at the end of its window")
    }
    settle()
    expect(!windows.callback!.isPending, "C2: nothing stays pending")
  }
}

/// Two threads signal callbacks whose intervals are zero or less. Each delivery is on the next turn.
func zeroIntervals(_ kind: QueueKind) -> Scenario {
  Scenario("zero-intervals-\(kind)", "C1 C2 C5 C8") {
    let queue = kind.make()
    let policies: [CoalescingPolicy] = [
      .debounce(.zero), .throttle(.seconds(-1)), .audit(.zero), .debounce(.zero, maxWait: .milliseconds(5)),
    ]
    let all = policies.map { Windows($0, on: queue) }
    parallel(
      {
        all[0].signal()
        all[1].signal()
      },
      {
        all[2].signal()
        all[3].signal()
        all[0].signal()
      })
    expect(engine.time.count == 0, "C8: an interval of zero arms no timer")
    drain()
    for windows in all {
      expect((1...2).contains(windows.deliveries.count), "C8: an interval of zero means the next turn")
      expect(!windows.callback!.isPending, "C2: nothing stays pending")
    }
  }
}
