/// A rule by which many signals become few deliveries.
///
/// | policy | first signal | later signals in the window | end of the window |
/// |---|---|---|---|
/// | ``nextTurn`` | delivers on the next turn | joins | |
/// | ``debounce(_:maxWait:edges:)`` | waits | slides the window | delivers |
/// | ``throttle(_:edges:)`` | delivers | joins | delivers if signals came, and opens the next window |
/// | ``audit(_:)`` | waits | joins | delivers |
///
/// Debounce waits for a pause. Throttle limits the rate and delivers the first signal on the next turn. Audit
/// limits the rate and delivers at the end of the window. A storm of signals postpones a debounced delivery
/// forever, unless `maxWait` limits the delay.
///
/// If no window is open, a signal opens a window of the policy's interval. A window is measured from the
/// signal that opens it. A signal that comes exactly at the end of a window, before the timer fires, belongs
/// to that window (C6). An interval of zero or less means the next turn. A window of a huge interval, for
/// example `.seconds(Int64.max)`, never ends (C8).
public struct CoalescingPolicy: Sendable, Hashable {
  /// The edges of a window at which a policy delivers.
  public struct Edges: OptionSet, Sendable, Hashable {
    /// The signal that opens a window is delivered on the next turn.
    public static let leading: Edges = Edges(rawValue: 1)
    /// At the end of a window, all signals that are not delivered yet are delivered.
    public static let trailing: Edges = Edges(rawValue: 2)

    /// One bit for each edge.
    public let rawValue: UInt8

    /// Creates a set of edges from its bits. Bits that belong to no edge are ignored.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 3 }
  }

  /// The behaviour of windows, and of the deliveries of a loop.
  package struct Traits: OptionSet, Sendable, Hashable {
    /// A signal in a window moves the end of the window.
    static let slides: Traits = Traits(rawValue: 1)
    /// A delivery at the end of a window opens the next window.
    static let reopens: Traits = Traits(rawValue: 2)
    /// Windows end at multiples of the interval, counted from the start of the gate.
    static let isPaced: Traits = Traits(rawValue: 4)
    /// Deliveries are runs of a loop. Tasks begin the runs.
    package static let makesRuns: Traits = Traits(rawValue: 8)
    /// A delivery during a run cancels the run, and the next run does not wait for a pending delivery.
    package static let restarts: Traits = Traits(rawValue: 16)
    /// A delivery during a run is dropped.
    package static let ignores: Traits = Traits(rawValue: 32)

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    // NB: in a debug build, the generic function of `OptionSet` takes many times as long.
    package func contains(_ traits: Traits) -> Bool { rawValue & traits.rawValue == traits.rawValue }
  }

  // The small properties are last, so that a gate can use the padding after them.
  /// The length of a window in nanoseconds; zero means the next turn.
  @usableFromInline let interval: Int64
  /// The longest time for which a burst continues without a delivery, in nanoseconds; `.max` means no limit.
  let maxWait: Int64
  package internal(set) var edges: Edges
  private(set) var traits: Traits

  private init(_ interval: Duration, maxWait: Duration? = nil, edges: Edges, traits: Traits = []) {
    self.interval = max(0, interval.saturatingNanoseconds)
    self.maxWait = max(maxWait?.saturatingNanoseconds ?? .max, self.interval)
    self.edges = edges
    self.traits = self.interval > 0 ? traits : []
  }

  /// Delivers on the scheduler's next turn. Signals that come before that turn join the delivery.
  public static let nextTurn: CoalescingPolicy = CoalescingPolicy(.zero, edges: .trailing)

  /// Returns this policy with the traits of a loop.
  ///
  /// - Parameter traits: `makesRuns`, and the effect of a delivery during a run; empty if deliveries are not
  ///   runs.
  package func makingRuns(_ traits: Traits) -> CoalescingPolicy {
    var policy = self
    policy.traits.formUnion(traits)
    return policy
  }

  /// Delivers when no signal has come for an interval.
  ///
  /// - Parameters:
  ///   - interval: The length of the pause.
  ///   - maxWait: The longest time for which a burst continues without a delivery. It is measured from the
  ///     first signal of the burst. When it has passed, it is measured again from that instant, even if the
  ///     delivery is late (C6). With `.leading` alone, the burst ends when the time has passed: the next
  ///     signal is delivered, and begins a new burst. A value below the interval is raised to the interval.
  ///     Nil sets no limit.
  ///   - edges: The edges at which the policy delivers. `.trailing` delivers after the pause, and `.leading`
  ///     at the first signal of a burst. Both together deliver at the first signal and, if more signals came
  ///     after that delivery, once more after the pause.
  public static func debounce(
    _ interval: Duration, maxWait: Duration? = nil, edges: Edges = .trailing
  ) -> CoalescingPolicy {
    CoalescingPolicy(interval, maxWait: maxWait, edges: edges, traits: .slides)
  }

  /// Delivers at most once in each window of an interval.
  ///
  /// A busy scheduler may make a delivery late, but does not move the window. The next delivery may then
  /// follow the late one in less than an interval (C6).
  ///
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - edges: The edges at which the policy delivers; both by default. With both, the first signal is
  ///     delivered on the next turn, and the last signal at the end of its window. With `.leading` alone,
  ///     signals in the window are ignored. With `.trailing` alone, the first signal waits for the end of the
  ///     window.
  public static func throttle(
    _ interval: Duration, edges: Edges = [.leading, .trailing]
  ) -> CoalescingPolicy {
    CoalescingPolicy(interval, edges: edges, traits: .reopens)
  }

  /// Delivers an interval after the first signal, however many signals follow.
  ///
  /// - Parameter interval: The time for which signals are collected.
  public static func audit(_ interval: Duration) -> CoalescingPolicy {
    CoalescingPolicy(interval, edges: .trailing)
  }

  /// Delivers at multiples of an interval, if a signal has come since the previous multiple.
  @usableFromInline package static func sample(_ interval: Duration) -> CoalescingPolicy {
    CoalescingPolicy(interval, edges: .trailing, traits: .isPaced)
  }
}

extension CoalescingPolicy: CustomStringConvertible {
  /// The policy in words.
  ///
  /// For example `debounce 200 ms, at most 2 s`. Edges are named only if they are not the default edges.
  public var description: String {
    guard !edges.isEmpty else { return "never" }
    guard interval > 0 else { return "next turn" }
    let length = Duration.nanoseconds(interval).short
    if traits.contains(.slides) {
      let limit = maxWait < .max ? ", at most \(Duration.nanoseconds(maxWait).short)" : ""
      return "debounce \(length)\(limit)\(describe(unless: .trailing))"
    }
    if traits.contains(.reopens) { return "throttle \(length)\(describe(unless: [.leading, .trailing]))" }
    return traits.contains(.isPaced) ? "sample \(length)" : "audit \(length)"
  }

  private func describe(unless usual: Edges) -> String {
    guard edges != usual else { return "" }
    if edges == [.leading, .trailing] { return ", leading and trailing" }
    return edges == .leading ? ", leading" : ", trailing"
  }
}
