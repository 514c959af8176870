import SimpleEvents
import Testing

/// A timeline of values, with the deliveries that the tests of another project assert. A column is one
/// millisecond.
struct ValueTimeline: Sendable, CustomTestStringConvertible {
  enum Operator: Sendable {
    case coalesced(CoalescingPolicy)
    case sample(Duration)
  }

  /// The name of the test in the other project.
  var source: String
  var policy: Operator
  /// The values that are sent in the first line, and the delivered values in the second; see `Marbles`.
  var drawing: String

  init(_ source: String, _ policy: Operator, _ drawing: String) {
    self.source = source
    self.policy = policy
    self.drawing = drawing
  }

  var testDescription: String { source }

  static let all: [ValueTimeline] = [
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce values by 2 time units",
      .coalesced(.debounce(.milliseconds(2))),
      """
      -a--bc--d---|
      ---a---c--d-|
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should delay all elements by the specified time",
      .coalesced(.debounce(.milliseconds(5))),
      """
      -a--------b------c----|
      ------a--------b------(c|)
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce and delay element by the specified time",
      .coalesced(.debounce(.milliseconds(5))),
      """
      -a--(bc)-----------d-------|
      ---------c--------------d--|
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should allow unsubscribing early and explicitly",
      .coalesced(.debounce(.milliseconds(2))),
      """
      --a--bc!-d
      ----a
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should not break unsubscription chains when unsubscribed explicitly",
      .coalesced(.debounce(.milliseconds(2))),
      """
      --a--bc!-d
      ----a
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce and does not complete when source does not completes",
      .coalesced(.debounce(.milliseconds(5))),
      """
      -a--(bc)-----------d-------!
      ---------c--------------d
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should delay all elements until source raises error",
      .coalesced(.debounce(.milliseconds(5))),
      """
      -a--------b------c----#
      ------a--------b------#
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce all elements while source emits within given time",
      .coalesced(.debounce(.milliseconds(4))),
      """
      --a--b--c--d--e--f--g--h-|
      -------------------------(h|)
      """),
    ValueTimeline(
      "rxjs@54796b3 debounce-time should debounce all element while source emits within given time until raises error",
      .coalesced(.debounce(.milliseconds(4))),
      """
      --a--b--c--d--e--f--g--h-#
      -------------------------#
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the first value in each time window",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)),
      """
      -a-x-y----b---x-cx---|
      -a--------b-----c----|
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should simply mirror the source if values are not emitted often enough",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)),
      """
      -a--------b-----c----|
      -a--------b-----c----|
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should handle a busy producer emitting a regular repeating sequence",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)),
      """
      abcdefabcdefabcdefabcdefa|
      a-----a-----a-----a-----a|
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should throttle and does not complete when source does not completes",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)),
      """
      -a--(bc)-------d---------------!
      -a-------------d
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should not break unsubscription chains when result is unsubscribed explicitly",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)),
      """
      -a--(bc)-------d---------------!
      -a-------------d
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should throttle values until source raises error",
      .coalesced(.throttle(.milliseconds(5), edges: .leading)),
      """
      -a--(bc)-------d---------------#
      -a-------------d---------------#
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the first and last values in each time window",
      .coalesced(.throttle(.milliseconds(4), edges: [.leading, .trailing])),
      """
      -a-xy-----b--x--cxxx--|
      -a---y----b---x---x---(x|)
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should emit the value if only a single one is given",
      .coalesced(.throttle(.milliseconds(4), edges: [.leading, .trailing])),
      """
      -a--------------------|
      -a--------------------|
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should immediately emit the last value in each time window",
      .coalesced(.throttle(.milliseconds(4), edges: .trailing)),
      """
      -a-xy-----b--x--cxxx--|
      -----y--------x---x---(x|)
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should emit the last throttled value when complete",
      .coalesced(.throttle(.milliseconds(4), edges: .trailing)),
      """
      -a-xy-----b--x--cxx-|
      -----y--------x---x-|
      """),
    ValueTimeline(
      "rxjs@54796b3 throttle-time should emit the value if only a single one is given",
      .coalesced(.throttle(.milliseconds(4), edges: .trailing)),
      """
      -a--------------------|
      -----a----------------|
      """),
    ValueTimeline(
      "rxjs@54796b3 audit-time should emit the last value in each time window",
      .coalesced(.audit(.milliseconds(5))),
      """
      -a-x-y----b---x-cx---|
      ------y--------x-----(x|)
      """),
    ValueTimeline(
      "rxjs@54796b3 audit-time should auditTime events multiple times",
      .coalesced(.audit(.milliseconds(5))),
      """
      -012-----01234---|
      ------2-------4--|
      """),
    ValueTimeline(
      "rxjs@54796b3 audit-time should delay the source if values are not emitted often enough",
      .coalesced(.audit(.milliseconds(5))),
      """
      -a--------b-----c----|
      ------a--------b-----(c|)
      """),
    // RxJS waits for the end of the window, and delivers the last value and the end at 29.
    ValueTimeline(
      "rxjs@54796b3 audit-time should handle a busy producer emitting a regular repeating sequence",
      .coalesced(.audit(.milliseconds(5))),
      """
      abcdefabcdefabcdefabcdefa|
      -----f-----f-----f-----f-(a|)
      """),
    ValueTimeline(
      "rxjs@54796b3 audit-time should not complete when source does not complete",
      .coalesced(.audit(.milliseconds(5))),
      """
      -a--(bc)-------d---------------!
      ------c-------------d
      """),
    ValueTimeline(
      "rxjs@54796b3 audit-time should not break unsubscription chains when result is unsubscribed explicitly",
      .coalesced(.audit(.milliseconds(5))),
      """
      -a--(bc)-------d---------------!
      ------c-------------d
      """),
    ValueTimeline(
      "rxjs@54796b3 audit-time should auditTime values until source raises error",
      .coalesced(.audit(.milliseconds(5))),
      """
      -a--(bc)-------d---------------#
      ------c-------------d----------#
      """),
    ValueTimeline(
      "rxjs@54796b3 sample-time should get samples on a delay",
      .sample(.milliseconds(7)),
      """
      a---b-c---------d--e---f-g-h--|
      -------c-------------e------h-|
      """),
    // RxJS drops a value that is not yet sampled when the source completes.
    ValueTimeline(
      "rxjs@54796b3 sample-time should sample nothing if new value has not arrived",
      .sample(.milliseconds(11)),
      """
      ---b----c--------------f----|
      -----------c----------------(f|)
      """),
    // RxJS drops a value that is not yet sampled when the source completes.
    ValueTimeline(
      "rxjs@54796b3 sample-time should sample if new value has arrived, even if it is the same value",
      .sample(.milliseconds(11)),
      """
      ---b----c----------c---f----|
      -----------c----------c-----(f|)
      """),
    ValueTimeline(
      "rxjs@54796b3 sample-time should sample nothing if source has not nexted by time of sample",
      .sample(.milliseconds(11)),
      """
      --------------b-------------|
      ----------------------b-----|
      """),
    ValueTimeline(
      "rxjs@54796b3 sample-time should raise error if source raises error",
      .sample(.milliseconds(11)),
      """
      ---b----c----d----#
      -----------c------#
      """),
    ValueTimeline(
      "rxjs@54796b3 sample-time should allow unsubscribing explicitly and early",
      .sample(.milliseconds(11)),
      """
      ---b----c----d--!-e----f
      -----------c
      """),
    ValueTimeline(
      "rxjs@54796b3 sample-time should not break unsubscription chains when result is unsubscribed explicitly",
      .sample(.milliseconds(11)),
      """
      ---b----c----d--!-e----f
      -----------c
      """),
  ]
}
