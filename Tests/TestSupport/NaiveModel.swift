/// An independent model of the policies that is simple rather than fast.
///
/// The model visits every tick of a timeline, and applies the table of the policies to it. It has neither
/// timers nor turns: a delivery happens at the end of a tick.
package struct NaiveModel {
  package enum Shape: CaseIterable {
    case nextTurn
    case debounce
    case throttle
    case audit
  }

  package struct Policy {
    package var shape: Shape
    package var interval: Int
    package var maxWait: Int?
    package var leading: Bool
    package var trailing: Bool
  }

  package enum Input {
    case signal
    case cancel
    case flush
  }

  package var policy: Policy

  package init(policy: Policy) { self.policy = policy }

  /// Returns the ticks of the deliveries. The inputs are in the order of their ticks.
  package func deliveries(_ inputs: [(tick: Int, input: Input)], until end: Int) -> [Int] {
    run(inputs, until: end).deliveries
  }

  /// Returns the ticks of the deliveries, and for each tick whether a delivery is pending after it.
  package func run(
    _ inputs: [(tick: Int, input: Input)], until end: Int
  ) -> (deliveries: [Int], isPending: [Bool]) {
    var deliveries: [Int] = []
    var isPending: [Bool] = []
    var windowEnd: Int?
    var forcedAt: Int?
    var isUndelivered = false

    for tick in 0...end {
      var deliversNow = false
      for (at, input) in inputs where at == tick {
        switch input {
        case .signal:
          if policy.shape == .nextTurn {
            deliversNow = true
          } else if windowEnd == nil {
            windowEnd = tick + policy.interval
            forcedAt = policy.maxWait.map { tick + $0 }
            if policy.leading { deliversNow = true } else { isUndelivered = true }
          } else {
            if policy.shape == .debounce { windowEnd = tick + policy.interval }
            // A signal in the tick of a delivery comes before the delivery, so the delivery includes it.
            if policy.trailing && !deliversNow { isUndelivered = true }
          }
        case .cancel:
          deliversNow = false
          isUndelivered = false
          windowEnd = nil
        case .flush:
          if deliversNow || isUndelivered {
            deliveries.append(tick)
            deliversNow = false
            isUndelivered = false
            windowEnd = nil
          }
        }
      }
      if let closing = windowEnd, let forced = forcedAt, forced == tick, closing > tick {
        if policy.trailing {
          if isUndelivered { deliversNow = true }
          isUndelivered = false
          forcedAt = forced + policy.maxWait!
        } else {
          windowEnd = nil
        }
      }
      if windowEnd == tick {
        windowEnd = nil
        if isUndelivered && policy.trailing {
          deliversNow = true
          if policy.shape == .throttle { windowEnd = tick + policy.interval }
        }
        isUndelivered = false
      }
      if deliversNow { deliveries.append(tick) }
      isPending.append(isUndelivered)
    }
    return (deliveries, isPending)
  }
}
