#if DEBUG
  @testable import SimpleEvents
  import SimpleEventsMonitoring
  import SimpleEventsTesting
  import Testing

  /// The tests call the trace with deliveries in orders that only racing threads cause.
  struct TraceOverlapTests {
    @Test("CoalescingTrace: a signal before the start of the previous delivery is drawn at that start")
    func overlap() throws {
      let trace = CoalescingTrace(capacity: 2)
      let event = withCoalescingMonitor(trace) { LazySimpleEvent(on: TestScheduler(), label: "a") }
      event.trigger()
      event.flush()
      let source = try #require(trace.deliveries.first?.source)
      // The monitor receives the second delivery first.
      trace.delivered(delivery(of: source, since: 5, at: 20))
      trace.delivered(delivery(of: source, since: 0, at: 10))
      let slices = trace.json.split(separator: "\n").filter { $0.contains(#""name":"pending""#) }
      try #require(slices.count == 2)
      #expect(slices[0].contains(#""ts":0.000,"dur":10.000,"#))
      #expect(slices[1].contains(#""ts":10.000,"dur":10.000,"#))
      #expect(trace.json.contains(#""latency":15.000"#))
    }

    private func delivery(
      of source: CoalescingSource, since signal: Int64, at start: Int64
    ) -> CoalescingDelivery {
      CoalescingDelivery(
        source: source, signalCount: 1, firstSignal: EventInstant(nanoseconds: signal * 1000),
        start: EventInstant(nanoseconds: start * 1000), duration: .zero, droppedCount: 0, cause: .turn,
        error: nil, isCancelled: false)
    }
  }
#endif
