internal import SimpleEvents
public import SimpleEventsMonitoring

extension CoalescingTrace {
  /// The recorded deliveries, as a drawing.
  ///
  /// Each source has two rows. The first row shows the first signal of each delivery and the time for which
  /// the delivery was pending. The second row shows the deliveries and their durations. A signal and its
  /// delivery have the same label. An object with keys has two rows for each key. The times count from the
  /// first instant of the trace, and are read from the schedulers' clocks, so all schedulers should have the
  /// same clock.
  public var timeline: Timeline {
    let deliveries = deliveries
    let origin = deliveries.map { min($0.firstSignal ?? $0.start, $0.start) }.min()
    guard let origin else { return Timeline([Timeline.Row]()) }
    let groups = Dictionary(grouping: deliveries.indices) { Part(deliveries[$0]) }
    // Different keys may have the same name. Their rows are in the order of their first deliveries.
    let parts = groups.values.sorted { one, other in
      let (first, second) = (deliveries[one[0]], deliveries[other[0]])
      return (first.source.id, first.keyName ?? "", one[0]) < (
        second.source.id, second.keyName ?? "", other[0]
      )
    }
    return Timeline(parts.flatMap { part in Timeline.rows(of: part.map { deliveries[$0] }, since: origin) })
  }

  /// A source, or one key of a source.
  private struct Part: Hashable {
    let source: Int
    let key: AnyHashable?

    init(_ delivery: CoalescingDelivery) {
      source = delivery.source.id
      key = (delivery.key as? any Hashable).map { AnyHashable($0) }
    }
  }
}

extension CoalescingDelivery {
  fileprivate var keyName: String? { key.map { "\($0)" } }
}

extension Timeline {
  /// The two rows of a source, or of one key of a source.
  fileprivate static func rows(of deliveries: [CoalescingDelivery], since origin: EventInstant) -> [Row] {
    let source = deliveries[0].source
    let name = (source.label ?? source.description) + (deliveries[0].keyName.map { " \($0)" } ?? "")
    var signals = Row("\(name) signals", marks: [])
    var answers = Row("\(name) deliveries", marks: [], isPolicy: true)
    for (index, delivery) in deliveries.enumerated() {
      let label = Mark.name(index)
      let start = origin.duration(to: delivery.start)
      if let signal = delivery.firstSignal.map({ origin.duration(to: $0) }) {
        signals.marks.append(Mark(time: signal, label: label))
        if signal < start { signals.windows.append(signal..<start) }
      }
      answers.marks.append(Mark(time: start, label: label))
      if delivery.duration > .zero { answers.windows.append(start..<start + delivery.duration) }
    }
    return [signals, answers]
  }
}
