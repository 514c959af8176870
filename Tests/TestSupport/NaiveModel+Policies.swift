package import SimpleEvents

extension NaiveModel.Policy {
  /// Creates a policy of a given shape with random intervals and edges.
  package init(random shape: NaiveModel.Shape, _ random: inout SeededGenerator) {
    interval = Int.random(in: 1...12, using: &random)
    self.shape = shape
    (leading, trailing) = (false, true)
    if shape == .debounce || shape == .throttle {
      leading = .random(using: &random)
      trailing = !leading || .random(using: &random)
    }
    if shape == .debounce && .random(using: &random) {
      maxWait = interval + Int.random(in: 0...15, using: &random)
    }
  }
}

extension CoalescingPolicy {
  package init(_ policy: NaiveModel.Policy) {
    let interval = Duration.milliseconds(policy.interval)
    var edges: Edges = policy.leading ? .leading : []
    if policy.trailing { edges.insert(.trailing) }
    switch policy.shape {
    case .nextTurn: self = .nextTurn
    case .debounce:
      self = .debounce(interval, maxWait: policy.maxWait.map { .milliseconds($0) }, edges: edges)
    case .throttle: self = .throttle(interval, edges: edges)
    case .audit: self = .audit(interval)
    }
  }
}
