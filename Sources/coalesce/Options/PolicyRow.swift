internal import SimpleEvents

/// A policy that `coalesce timeline` draws.
package enum PolicyRow: String, CaseIterable, Sendable {
  case nextTurn = "next-turn"
  case debounce
  case debounceMaxWait = "debounce-max-wait"
  case debounceLeading = "debounce-leading"
  case debounceBoth = "debounce-both"
  case throttle
  case throttleLeading = "throttle-leading"
  case throttleTrailing = "throttle-trailing"
  case audit

  func policy(interval: Duration, maxWait: Duration) -> CoalescingPolicy {
    switch self {
    case .nextTurn: .nextTurn
    case .debounce: .debounce(interval)
    case .debounceMaxWait: .debounce(interval, maxWait: maxWait)
    case .debounceLeading: .debounce(interval, edges: .leading)
    case .debounceBoth: .debounce(interval, edges: [.leading, .trailing])
    case .throttle: .throttle(interval)
    case .throttleLeading: .throttle(interval, edges: .leading)
    case .throttleTrailing: .throttle(interval, edges: .trailing)
    case .audit: .audit(interval)
    }
  }
}
