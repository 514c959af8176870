internal import SimpleEvents

extension CoalescingTrace {
  /// The deliveries in the trace-event format, for Perfetto and other tools that draw traces.
  ///
  /// Schedulers of the same name are one process in the trace: queues with the same label share a process,
  /// and so do all actors. Each source has two tracks in its process. One track shows when signals were
  /// pending, and the other shows the deliveries. An arrow leads from the first signal to its delivery. If
  /// the first signal came before the previous delivery started, the slice of the pending signals begins at
  /// the start of the previous delivery. The delivery slices of an object with keys are named after the keys,
  /// and runs of several keys at the same time have further tracks.
  ///
  /// The instants are those of the schedulers. Real queues, actors and objects without a scheduler share a
  /// clock; a test scheduler has its own.
  ///
  /// - Complexity: O(n log n) in the number of deliveries. If k keys of a loop run at the same time, each of
  ///   their deliveries takes O(k) more.
  public var json: String {
    var writer = TraceEventWriter()
    let (deliveries, overwrittenCount) = contents
    // The deliveries are recorded in the order of their ends, which can differ from the order of their
    // starts.
    for delivery in deliveries.sorted(by: { $0.start < $1.start }) { writer.add(delivery) }
    return """
      {"displayTimeUnit":"ms","otherData":{"overwritten":\(overwrittenCount)},"traceEvents":[
      \(writer.events.joined(separator: ",\n"))
      ]}

      """
  }
}
