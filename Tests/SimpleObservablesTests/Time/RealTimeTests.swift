import Dispatch
import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// C10: waits of exactly one interval on a real queue, as in Snail's tests.
///
/// The queue has no other timers: deadlines of other objects directly before the end of a wait would permit
/// that the wait ends before the delivery.
@Suite(.serialized) struct RealTimeTests {
  private static let interval: Int = 10
  private let queue: DispatchQueue = DispatchQueue(label: "waits of one interval")

  /// Sends values, and further values an interval later. Then waits for work on the same queue that is due an
  /// interval after the last value. Returns the values that were delivered before this work.
  private func delivered(
    _ operation: (PublishSubject<String>) -> Observable<String>, first: [String], later: [String]
  ) async -> [String] {
    let subject = PublishSubject<String>()
    let log = Log()
    let wait: DispatchTimeInterval = .milliseconds(Self.interval)
    let token = operation(subject).subscribe { @Sendable in log.add($0) }
    let entries = await withCheckedContinuation { continuation in
      queue.async { [queue] in
        for value in first { subject.update(value) }
        queue.asyncAfter(deadline: .now() + wait) {
          for value in later { subject.update(value) }
          guard !later.isEmpty else { return continuation.resume(returning: log.entries) }
          queue.asyncAfter(deadline: .now() + wait) { continuation.resume(returning: log.entries) }
        }
      }
    }
    token.remove()
    return entries
  }

  @Test("C10: a debounced value has been delivered after a wait of its interval")
  func debounce() async {
    // Only one value is sent. After a second value, the timer would be armed again when it fires, and on a
    // busy machine the wait could end before that.
    for _ in 0..<10 {
      let values = await delivered(
        { $0.debounce(.milliseconds(Self.interval), on: queue) }, first: ["2"], later: [])
      #expect(values == ["2"])
    }
  }

  @Test("C10: an audited value has been delivered after a wait of its interval")
  func audit() async {
    for _ in 0..<10 {
      let values = await delivered(
        { $0.audit(.milliseconds(Self.interval), on: queue) }, first: ["1", "2"], later: [])
      #expect(values == ["2"])
    }
  }

  @Test("C10: values that are an interval apart are delivered one by one")
  func auditTwice() async {
    for _ in 0..<10 {
      let values = await delivered(
        { $0.audit(.milliseconds(Self.interval), on: queue) }, first: ["1"], later: ["2", "3"])
      #expect(values == ["1", "3"])
    }
  }
}
