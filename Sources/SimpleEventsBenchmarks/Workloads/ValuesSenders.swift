internal import SimpleEvents
internal import SimpleObservables

/// Several threads send values at the same time to one subscriber.
///
/// The result is the time from the start to the delivery of the last value, divided by the number of values
/// of all threads.
enum ValuesSenders {
  static var workloads: [Workload] {
    [senders, storm("values-senders-storm"), storm("values-senders-storm-busy", beside: 4)]
  }

  /// The workload whose size is the number of threads.
  private static var senders: Workload {
    Workload(
      "values-senders", unit: "value", sizes: [1, 2, 4], mainSize: 2, quickSize: 2, growsWithSize: true,
      parallelism: .size,
      bars: [.ratio(2, to: Baseline.lockedClosures), .ratio(2.5, to: Baseline.lockedClosures, at: 4)],
      subjects: [
        subject { fixture in (fixture.n, 100_000) },
        Subject(Baseline.lockedClosures) { fixture in
          let list = LockedValueList()
          let sink = fixture.sink
          list.add { sink.take($0) }
          return trial(fixture, threads: fixture.n, values: 100_000, keeping: list) { list.send($0) }
        },
      ])
  }

  /// The memory of a storm of values whose subscriber does almost nothing.
  ///
  /// - Parameter busy: The number of other threads that compete for the processors.
  private static func storm(_ name: String, beside busy: Int = 0) -> Workload {
    Workload(
      name, unit: "value, two threads", sizes: [4_000_000], quickSize: 100_000,
      parallelism: .threads(2), repetitions: 1, bars: [.count(.peakKibibytes, atMost: 10_240)],
      subjects: [subject(beside: busy) { fixture in (2, fixture.n) }])
  }

  /// - Parameters:
  ///   - busy: The number of other threads that compete for the processors.
  ///   - load: Returns the number of threads, and the number of values that they send.
  private static func subject(
    beside busy: Int = 0, _ load: @escaping (Fixture) -> (threads: Int, values: Int)
  ) -> Subject {
    Subject("SimpleEvents PublishSubject") { fixture in
      let (threads, values) = load(fixture)
      let subject = PublishSubject<Int>()
      let sink = fixture.sink
      let token = subject.subscribe { sink.take($0) }
      return trial(fixture, threads: threads, beside: busy, values: values, keeping: token) {
        subject.update($0)
      }
    }
  }

  private static func trial(
    _ fixture: Fixture, threads: Int, beside busy: Int = 0, values: Int, keeping object: AnyObject,
    _ send: @escaping @Sendable (Int) -> Void
  ) -> Trial {
    let sink = fixture.sink
    sink.target = values
    return Trial(
      operations: values, isRepeatable: false, deliveries: { _, _ in values...values },
      // A subject may deliver the last values on a thread of its own.
      complete: { sink.wait() }, settle: { withExtendedLifetime(object) {} }
    ) {
      let busy = BusyThreads(busy)
      Threads.share(values, among: threads, send)
      busy.end()
    }
  }
}
