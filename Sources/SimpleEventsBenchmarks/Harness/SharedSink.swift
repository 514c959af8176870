internal import SimpleEvents

/// A sink of deliveries that come from several threads.
final class SharedSink: Sendable {
  /// Guards the counters of the sink.
  private let sink: Guarded<Sink>

  init(_ sink: Sink) { self.sink = Guarded(sink) }

  func hit() { sink.withLock { $0.hit() } }
}
