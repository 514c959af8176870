import SimpleEvents
import Testing

/// A timeline of values whose deliveries another project's tests assert. Times are in milliseconds.
struct ValueTimeline: Sendable, CustomTestStringConvertible {
  enum Operator: Sendable {
    case coalesced(CoalescingPolicy)
    case sample(Duration)
  }

  /// The end of the timeline: by the source, or by the removal of the subscriber.
  enum End: Sendable {
    case finish(Int)
    case fail(Int)
    case remove(Int)

    var instant: Int {
      switch self {
      case .finish(let instant), .fail(let instant), .remove(let instant): instant
      }
    }
  }

  var source: String
  var policy: Operator
  var events: [Int]
  /// One letter for each event.
  var values: String
  var instants: [Int]
  /// One letter for each value that is delivered.
  var delivered: String
  /// The value that is delivered when the source finishes, where the other project differs: here all
  /// operators deliver a pending value before the end.
  var atEnd: String
  var end: End

  init(
    _ source: String, _ policy: Operator, _ events: [Int], _ values: String, instants: [Int],
    _ delivered: String,
    atEnd: String = "", end: End
  ) {
    self.source = source
    self.policy = policy
    self.events = events
    self.values = values
    self.instants = instants
    self.delivered = delivered
    self.atEnd = atEnd
    self.end = end
  }

  var testDescription: String { source }

  /// The events that the subscriber receives, with their instants.
  var expected: [String] {
    var expected = zip(instants, delivered).map { "\($0) \($1)" }
    if !atEnd.isEmpty { expected.append("\(end.instant) \(atEnd)") }
    switch end {
    case .finish(let instant): expected.append("\(instant) done")
    case .fail(let instant): expected.append("\(instant) error")
    case .remove: break
    }
    return expected
  }

  static let all: [ValueTimeline] = [
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce values by 2 time units",
      .coalesced(.debounce(.milliseconds(2))), [1, 4, 5, 8], "abcd", instants: [3, 7, 10], "acd",
      end: .finish(12)),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should delay all elements by the specified time",
      .coalesced(.debounce(.milliseconds(5))), [1, 10, 17], "abc", instants: [6, 15, 22], "abc",
      end: .finish(22)
    ),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce and delay element by the specified time",
      .coalesced(.debounce(.milliseconds(5))), [1, 4, 4, 19], "abcd", instants: [9, 24], "cd",
      end: .finish(27)),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should allow unsubscribing early and explicitly",
      .coalesced(.debounce(.milliseconds(2))), [2, 5, 6, 9], "abcd", instants: [4], "a", end: .remove(7)),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should not break unsubscription chains when unsubscribed explicitly",
      .coalesced(.debounce(.milliseconds(2))), [2, 5, 6, 9], "abcd", instants: [4], "a", end: .remove(7)),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce and does not complete when source does not completes",
      .coalesced(.debounce(.milliseconds(5))), [1, 4, 4, 19], "abcd", instants: [9, 24], "cd",
      end: .remove(27)),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should delay all elements until source raises error",
      .coalesced(.debounce(.milliseconds(5))), [1, 10, 17], "abc", instants: [6, 15], "ab", end: .fail(22)),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce all elements while source emits within given time",
      .coalesced(.debounce(.milliseconds(4))), [2, 5, 8, 11, 14, 17, 20, 23], "abcdefgh", instants: [25], "h",
      end: .finish(25)),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce all element while source emits within given time until raises error",
      .coalesced(.debounce(.milliseconds(4))), [2, 5, 8, 11, 14, 17, 20, 23], "abcdefgh", instants: [], "",
      end: .fail(25)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the first value in each time window",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)), [1, 3, 5, 10, 14, 16, 17], "axybxcx",
      instants: [1, 10, 16], "abc", end: .finish(21)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should simply mirror the source if values are not emitted often enough",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)), [1, 10, 16], "abc", instants: [1, 10, 16],
      "abc",
      end: .finish(21)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should handle a busy producer emitting a regular repeating sequence",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
      "abcdefabcdefabcdefabcdefa", instants: [0, 6, 12, 18, 24], "aaaaa", end: .finish(25)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should throttle and does not complete when source does not completes",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)), [1, 4, 4, 15], "abcd", instants: [1, 15],
      "ad",
      end: .remove(31)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should not break unsubscription chains when result is unsubscribed explicitly",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)), [1, 4, 4, 15], "abcd", instants: [1, 15],
      "ad",
      end: .remove(31)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should throttle values until source raises error",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)), [1, 4, 4, 15], "abcd", instants: [1, 15],
      "ad",
      end: .fail(31)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the first and last values in each time window",
      .coalesced(.throttle(.milliseconds(4), edges: [.leading, .trailing])),
      [1, 3, 4, 10, 13, 16, 17, 18, 19], "axybxcxxx", instants: [1, 5, 10, 14, 18, 22], "aybxxx",
      end: .finish(22)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should emit the value if only a single one is given",
      .coalesced(.throttle(.milliseconds(4), edges: [.leading, .trailing])), [1], "a", instants: [1], "a",
      end: .finish(22)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the last value in each time window",
      .coalesced(.throttle(.milliseconds(4), edges: .trailing)), [1, 3, 4, 10, 13, 16, 17, 18, 19],
      "axybxcxxx", instants: [5, 14, 18, 22], "yxxx", end: .finish(22)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should emit the last throttled value when complete",
      .coalesced(.throttle(.milliseconds(4), edges: .trailing)), [1, 3, 4, 10, 13, 16, 17, 18], "axybxcxx",
      instants: [5, 14, 18], "yxx", end: .finish(20)),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should emit the value if only a single one is given",
      .coalesced(.throttle(.milliseconds(4), edges: .trailing)), [1], "a", instants: [5], "a",
      end: .finish(22)),
    ValueTimeline(
      "rxjs@54796b3 audit-time should emit the last value in each time window",
      .coalesced(.audit(.milliseconds(5))), [1, 3, 5, 10, 14, 16, 17], "axybxcx", instants: [6, 15, 21],
      "yxx",
      end: .finish(21)),
    ValueTimeline(
      "rxjs@54796b3 audit-time should auditTime events multiple times", .coalesced(.audit(.milliseconds(5))),
      [1, 2, 3, 9, 10, 11, 12, 13], "01201234", instants: [6, 14], "24", end: .finish(17)),
    ValueTimeline(
      "rxjs@54796b3 audit-time should delay the source if values are not emitted often enough",
      .coalesced(.audit(.milliseconds(5))), [1, 10, 16], "abc", instants: [6, 15, 21], "abc", end: .finish(21)
    ),
    // RxJS waits for the end of the window, and delivers the last value and the end at 29.
    ValueTimeline(
      "rxjs@54796b3 audit-time should handle a busy producer emitting a regular repeating sequence",
      .coalesced(.audit(.milliseconds(5))),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
      "abcdefabcdefabcdefabcdefa", instants: [5, 11, 17, 23], "ffff", atEnd: "a", end: .finish(25)),
    ValueTimeline(
      "rxjs@54796b3 audit-time should not complete when source does not complete",
      .coalesced(.audit(.milliseconds(5))), [1, 4, 4, 15], "abcd", instants: [6, 20], "cd", end: .remove(31)),
    ValueTimeline(
      "rxjs@54796b3 audit-time should not break unsubscription chains when result is unsubscribed explicitly",
      .coalesced(.audit(.milliseconds(5))), [1, 4, 4, 15], "abcd", instants: [6, 20], "cd", end: .remove(31)),
    ValueTimeline(
      "rxjs@54796b3 audit-time should auditTime values until source raises error",
      .coalesced(.audit(.milliseconds(5))), [1, 4, 4, 15], "abcd", instants: [6, 20], "cd", end: .fail(31)),
    ValueTimeline(
      "rxjs@54796b3 sample-time should get samples on a delay", .sample(.milliseconds(7)),
      [0, 4, 6, 16, 19, 23, 25, 27], "abcdefgh", instants: [7, 21, 28], "ceh", end: .finish(30)),
    // RxJS drops a value that is not yet sampled when the source completes.
    ValueTimeline(
      "rxjs@54796b3 sample-time should sample nothing if new value has not arrived",
      .sample(.milliseconds(11)), [3, 8, 23], "bcf", instants: [11], "c", atEnd: "f", end: .finish(28)),
    // RxJS drops a value that is not yet sampled when the source completes.
    ValueTimeline(
      "rxjs@54796b3 sample-time should sample if new value has arrived, even if it is the same value",
      .sample(.milliseconds(11)), [3, 8, 19, 23], "bccf", instants: [11, 22], "cc", atEnd: "f",
      end: .finish(28)
    ),
    ValueTimeline(
      "rxjs@54796b3 sample-time should sample nothing if source has not nexted by time of sample",
      .sample(.milliseconds(11)), [14], "b", instants: [22], "b", end: .finish(28)),
    ValueTimeline(
      "rxjs@54796b3 sample-time should raise error if source raises error", .sample(.milliseconds(11)),
      [3, 8, 13], "bcd", instants: [11], "c", end: .fail(18)),
    ValueTimeline(
      "rxjs@54796b3 sample-time should allow unsubscribing explicitly and early", .sample(.milliseconds(11)),
      [3, 8, 13, 18, 23], "bcdef", instants: [11], "c", end: .remove(16)),
    ValueTimeline(
      "rxjs@54796b3 sample-time should not break unsubscription chains when result is unsubscribed explicitly",
      .sample(.milliseconds(11)), [3, 8, 13, 18, 23], "bcdef", instants: [11], "c", end: .remove(16)),
  ]
}
