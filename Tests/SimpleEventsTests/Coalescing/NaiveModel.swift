/// A second model of the policies: plain, slow, and written without a look at the first.
///
/// It walks along the time line tick by tick and asks, at each, what the tables say. It knows no timers,
/// no asking and no starting: at the end of a tick it delivers, or it does not.
struct NaiveModel {
  enum Shape: CaseIterable {
    case nextTurn
    case debounce
    case throttle
    case audit
  }

  struct Policy {
    var shape: Shape
    var interval: Int
    var maxWait: Int?
    var leading: Bool
    var trailing: Bool
  }

  enum Input {
    case signal
    case cancel
    case flush
  }

  var policy: Policy

  /// When deliveries come, for inputs in the order of their ticks.
  func deliveries(_ inputs: [(tick: Int, input: Input)], until end: Int) -> [Int] {
    var deliveries: [Int] = []
    var windowEnd: Int?
    var forcedAt: Int?
    var hasWaiting = false

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
            if policy.leading { deliversNow = true } else { hasWaiting = true }
          } else {
            if policy.shape == .debounce { windowEnd = tick + policy.interval }
            // What comes in the very tick of a delivery, before it, is part of it.
            if policy.trailing && !deliversNow { hasWaiting = true }
          }
        case .cancel:
          deliversNow = false
          hasWaiting = false
          windowEnd = nil
        case .flush:
          if deliversNow || hasWaiting {
            deliveries.append(tick)
            deliversNow = false
            hasWaiting = false
            windowEnd = nil
          }
        }
      }
      if let closing = windowEnd, let forced = forcedAt, forced == tick, closing > tick {
        if policy.trailing {
          if hasWaiting { deliversNow = true }
          hasWaiting = false
          forcedAt = forced + policy.maxWait!
        } else {
          windowEnd = nil
        }
      }
      if windowEnd == tick {
        windowEnd = nil
        if hasWaiting && policy.trailing {
          deliversNow = true
          if policy.shape == .throttle { windowEnd = tick + policy.interval }
        }
        hasWaiting = false
      }
      if deliversNow { deliveries.append(tick) }
    }
    return deliveries
  }
}
