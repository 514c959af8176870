/// How many changes become one delivery: when the first one counts, when the last, and how long to wait.
///
/// | policy | first signal | in the window | at its end |
/// |---|---|---|---|
/// | ``nextTurn`` | delivers on the next turn | joins | |
/// | ``debounce(_:maxWait:edges:)`` | waits | slides the window | delivers |
/// | ``throttle(_:edges:)`` | delivers | joins | delivers if any came, and opens the next window |
/// | ``audit(_:)`` | waits | joins | delivers |
///
/// Debounce waits for quiet; throttle limits the rate and reacts at once; audit limits the rate and
/// reacts late. Only debounce can be starved by a storm, which is what `maxWait` is for.
///
/// A signal while no window is open opens one of the policy's interval. Windows are measured from the
/// signal; a signal at the very end of a window still belongs to it (C6). An interval of zero or less
/// means next turn; an infinite one never ends (C8).
public struct CoalescingPolicy: Sendable, Hashable {
  /// Which ends of a window deliver.
  public struct Edges: OptionSet, Sendable, Hashable {
    /// The signal that opens a window is delivered on the next turn.
    public static let leading: Edges = Edges(rawValue: 1)
    /// What came in a window and was not delivered yet is delivered at its end.
    public static let trailing: Edges = Edges(rawValue: 2)

    /// One bit for each edge.
    public let rawValue: UInt8

    /// Creates a set of edges from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }
  }

  enum Kind: UInt8 {
    case nextTurn
    case debounce
    case throttle
    case audit
  }

  // NB: in this order a gate has room for its own flags behind these.
  /// The window in nanoseconds; positive, save for `nextTurn`.
  let interval: Int64
  /// The longest a burst goes without a delivery, in nanoseconds; `.max` where it may go on for ever.
  let maxWait: Int64
  let kind: Kind
  let edges: Edges

  private init(_ kind: Kind, _ interval: Duration, maxWait: Duration? = nil, edges: Edges) {
    self.interval = interval.saturatingNanoseconds
    self.kind = self.interval > 0 ? kind : .nextTurn
    self.edges = edges
    self.maxWait = max(maxWait?.saturatingNanoseconds ?? .max, self.interval)
  }

  /// Delivers on the scheduler's next turn; signals until then join.
  public static let nextTurn: CoalescingPolicy = CoalescingPolicy(.nextTurn, .zero, edges: .trailing)

  /// Waits until no signal has come for an interval.
  ///
  /// - Parameters:
  ///   - interval: How long it must be quiet.
  ///   - maxWait: The longest a burst goes on without a delivery, counted from its first signal and then
  ///     from each delivery that this forces; never shorter than the interval. Nil waits for ever.
  ///   - edges: `.trailing` delivers when it has become quiet, `.leading` at the first signal of a burst,
  ///     both together the first signal and, if more came, once more at the end.
  public static func debounce(
    _ interval: Duration, maxWait: Duration? = nil, edges: Edges = .trailing
  ) -> CoalescingPolicy {
    CoalescingPolicy(.debounce, interval, maxWait: maxWait, edges: edges)
  }

  /// Delivers at most once an interval.
  ///
  /// - Parameters:
  ///   - interval: The least time between deliveries.
  ///   - edges: Both by default: the first signal at once, and the last one is never withheld. With
  ///     `.leading` alone signals in the window are ignored; with `.trailing` alone the first one waits.
  public static func throttle(
    _ interval: Duration, edges: Edges = [.leading, .trailing]
  ) -> CoalescingPolicy {
    CoalescingPolicy(.throttle, interval, edges: edges)
  }

  /// Delivers an interval after the first signal, whatever comes in between.
  ///
  /// - Parameter interval: How long signals are collected.
  public static func audit(_ interval: Duration) -> CoalescingPolicy {
    CoalescingPolicy(.audit, interval, edges: .trailing)
  }
}

extension CoalescingPolicy {
  /// A policy with no edge is a mistake: it never delivers.
  func flagIfWithoutEdges(
    of owner: @autoclosure () -> String, misuse: MisuseHandler, at site: RegistrationSite?
  ) {
    guard edges.isEmpty else { return }
    misuse.flag(
      Misuse(
        .noEdges,
        """
        The policy of \(owner()) has neither a leading nor a trailing edge, so it never delivers. Give it at \
        least one edge.
        """, at: site))
  }
}
