internal import SimpleEvents

extension CoalescingTrace {
  /// The deliveries in the trace-event format, which Perfetto and other tools draw.
  ///
  /// Each name of a scheduler is a process: queues with one label share it, and so do all actors. Each source
  /// has two tracks in it: one for the times in which signals were pending, and one for the deliveries. An
  /// arrow leads from the first signal to its delivery. If the first signal came before the start of the
  /// previous delivery, its slice begins at that start. The slices of an object with keys have the names of
  /// keys, and runs of several keys at the same time have further tracks.
  ///
  /// The instants are those of the schedulers. Real queues, actors and objects without a scheduler share a
  /// clock; a test scheduler has its own.
  ///
  /// - Complexity: O(n log n) in the number of deliveries.
  public var json: String {
    var writer = TraceEventWriter()
    let (deliveries, overwrittenCount) = contents
    // The deliveries are recorded in the order of their ends, which can differ from that of their starts.
    for delivery in deliveries.sorted(by: { $0.start < $1.start }) { writer.add(delivery) }
    return """
      {"displayTimeUnit":"ms","otherData":{"overwritten":\(overwrittenCount)},"traceEvents":[
      \(writer.events.joined(separator: ",\n"))
      ]}

      """
  }
}
