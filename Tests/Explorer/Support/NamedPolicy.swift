internal import SimpleEvents

/// A policy, and its name for the names of scenarios.
struct NamedPolicy: Sendable {
  let name: String
  let policy: CoalescingPolicy
  /// Whether each signal is delivered, immediately or later.
  let isComplete: Bool

  static let nextTurn: NamedPolicy = NamedPolicy(name: "nextTurn", policy: .nextTurn, isComplete: true)

  static let timed: [NamedPolicy] = [
    NamedPolicy(name: "debounce", policy: .debounce(.milliseconds(10)), isComplete: true),
    NamedPolicy(
      name: "maxWait", policy: .debounce(.milliseconds(10), maxWait: .milliseconds(15)), isComplete: true),
    NamedPolicy(
      name: "bothEdges", policy: .debounce(.milliseconds(10), edges: [.leading, .trailing]),
      isComplete: true),
    NamedPolicy(name: "throttle", policy: .throttle(.milliseconds(10)), isComplete: true),
    NamedPolicy(name: "audit", policy: .audit(.milliseconds(10)), isComplete: true),
    NamedPolicy(
      name: "leading", policy: .debounce(.milliseconds(10), edges: .leading), isComplete: false),
  ]

  static let all: [NamedPolicy] = [nextTurn] + timed
}
