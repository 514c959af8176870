package import SimpleEvents

/// The policies that are used by tests of all policies.
package enum Policies {
  /// One policy of each kind.
  package static let all: [CoalescingPolicy] = [
    .nextTurn, .debounce(.milliseconds(10)), .debounce(.milliseconds(10), maxWait: .milliseconds(25)),
    .debounce(.milliseconds(10), edges: .leading),
    .debounce(.milliseconds(10), edges: [.leading, .trailing]),
    .throttle(.milliseconds(10)), .throttle(.milliseconds(10), edges: .leading),
    .throttle(.milliseconds(10), edges: .trailing), .audit(.milliseconds(10)),
  ]
}
