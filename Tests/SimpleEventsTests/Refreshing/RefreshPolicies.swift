import SimpleEvents

/// One policy of each kind.
enum RefreshPolicies {
  static let all: [CoalescingPolicy] = [
    .nextTurn, .debounce(.milliseconds(10)), .debounce(.milliseconds(10), maxWait: .milliseconds(25)),
    .debounce(.milliseconds(10), edges: .leading),
    .debounce(.milliseconds(10), edges: [.leading, .trailing]),
    .throttle(.milliseconds(10)), .throttle(.milliseconds(10), edges: .leading),
    .throttle(.milliseconds(10), edges: .trailing), .audit(.milliseconds(10)),
  ]

  static let modes: [RefreshLoop.WhenBusy] = [.rerun, .restart, .ignore]
}
