internal import SimpleEvents

/// The options that make a policy.
struct PolicyOptions {
  private var name: String?
  private var interval: Duration = .milliseconds(100)
  private var maxWait: Duration?
  /// The interval and the maximum wait as the user has written them.
  private var words: (interval: String, maxWait: String) = ("", "")
  private var edges: CoalescingPolicy.Edges?

  mutating func take(_ spec: OptionSpec, _ value: String) throws(UsageError) {
    switch spec.name {
    case "--max-wait":
      maxWait = try FilterSettings.time(value, of: spec)
      words.maxWait = value
    case "--edges":
      edges =
        switch value {
        case "leading": .leading
        case "trailing": .trailing
        case "both": [.leading, .trailing]
        default: throw spec.error(value)
        }
    default:
      if let name { throw UsageError("\(name) and \(spec.name) cannot be combined") }
      name = spec.name
      if spec.value != nil {
        interval = try FilterSettings.time(value, of: spec)
        words.interval = value
      }
    }
  }

  /// The warning about a maximum wait that the policy raises (C8); nil if there is none.
  var warning: String? {
    guard let maxWait, maxWait < interval else { return nil }
    return "--max-wait \(words.maxWait) is raised to the time of --debounce \(words.interval)"
  }

  /// Returns the policy; without any option it is the policy of `--throttle 100ms`.
  func policy() throws(UsageError) -> CoalescingPolicy {
    if maxWait != nil && name != "--debounce" { throw UsageError("--max-wait needs --debounce") }
    switch name {
    case "--debounce": return .debounce(interval, maxWait: maxWait, edges: edges ?? .trailing)
    case "--throttle", nil: return .throttle(interval, edges: edges ?? [.leading, .trailing])
    default:
      if edges != nil { throw UsageError("--edges needs --debounce or --throttle") }
      return name == "--audit" ? .audit(interval) : .nextTurn
    }
  }
}
