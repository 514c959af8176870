public import SimpleEvents

extension Timeline {
  /// One line of a drawing.
  public struct Row: Sendable, Hashable {
    /// The text on the left.
    public var title: String
    /// The events or deliveries, in order of time.
    public var marks: [Mark]
    /// The windows of a policy. A drawing shades them.
    public var windows: [Range<Duration>]
    /// Whether the marks are deliveries of a policy. A drawing uses different marks for deliveries and for
    /// events.
    public var isPolicy: Bool

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - title: The text on the left.
    ///   - marks: The events or deliveries, in order of time.
    ///   - windows: The windows of a policy. A drawing shades them.
    ///   - isPolicy: Whether the marks are deliveries of a policy.
    public init(_ title: String, marks: [Mark], windows: [Range<Duration>] = [], isPolicy: Bool = false) {
      self.title = title
      self.marks = marks
      self.windows = windows
      self.isPolicy = isPolicy
    }

    /// Creates a row of marks without labels.
    ///
    /// - Parameters:
    ///   - title: The text on the left.
    ///   - times: The instants of the marks, in any order.
    public init(_ title: String, at times: [Duration]) {
      self.init(title, marks: times.sorted().map { Mark(time: $0) })
    }

    /// Creates a row of events.
    ///
    /// Their labels are the letters `a` to `z` and `A` to `Z`, and then numbers.
    ///
    /// - Parameters:
    ///   - events: The instants of the events, in any order.
    ///   - title: The text on the left.
    public init(events: [Duration], title: String = "events") {
      let marks = events.sorted().enumerated().map { Mark(time: $0.element, label: Mark.name($0.offset)) }
      self.init(title, marks: marks)
    }

    /// Creates a row with the windows and deliveries of a policy.
    ///
    /// The policy's engine runs in virtual time. The label of a delivery is the label of the newest event in
    /// it.
    ///
    /// - Parameters:
    ///   - title: The text on the left.
    ///   - events: The instants of the events, in any order.
    ///   - policy: The policy that the engine applies to the events.
    public init(_ title: String, of events: [Duration], by policy: CoalescingPolicy) {
      let record = PolicyRecorder.record(of: events.sorted(), by: policy)
      self.init(title, marks: record.deliveries, windows: record.windows, isPolicy: true)
    }
  }
}
