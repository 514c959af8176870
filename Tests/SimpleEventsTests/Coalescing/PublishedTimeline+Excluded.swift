extension PublishedTimeline {
  /// Timelines that depend on a rule that the engine does not have, with the rule.
  static let notApplicable: [(source: String, reason: String)] = [
    (
      "rxjs@54796b3 debounce-time should delay all elements until source raises error",
      "a value dropped by an error at the deadline: events carry no errors"
    ),
    (
      "rxjs@54796b3 debounce-time should debounce all element while source emits … until raises error",
      "a value dropped by an error: events carry no errors"
    ),
    (
      "rxjs@54796b3 sample-time should get samples on a delay",
      "samples at the ticks of a periodic timer, which no signal starts"
    ),
    (
      "rxjs@54796b3 sample-time should sample nothing if new value has not arrived",
      "samples at the ticks of a periodic timer, which no signal starts"
    ),
    (
      "rxjs@54796b3 sample-time should sample if new value has arrived, even if it is the same value",
      "samples at the ticks of a periodic timer, which no signal starts"
    ),
    (
      "rxjs@54796b3 sample-time should sample nothing if source has not nexted by time of sample",
      "samples at the ticks of a periodic timer, which no signal starts"
    ),
    (
      "rxjs@54796b3 sample-time should raise error if source raises error",
      "samples at the ticks of a periodic timer, which no signal starts"
    ),
    (
      "rxjs@54796b3 sample-time should allow unsubscribing explicitly and early",
      "samples at the ticks of a periodic timer, which no signal starts"
    ),
    (
      "rxjs@54796b3 sample-time should not break unsubscription chains when result is unsubscribed explicitly",
      "samples at the ticks of a periodic timer, which no signal starts"
    ),
    (
      "lodash@9429a4e should support a leading option (two calls)",
      "a leading delivery is synchronous there, so that a second call in the same turn gives another one (C5)"
    ),
    (
      "lodash@9429a4e throttle: should support a trailing option {trailing:true}",
      "a leading delivery is synchronous there, so that a second call in the same turn gives another one (C5)"
    ),
    (
      "lodash@9429a4e should reset lastCalled after cancelling",
      "a leading delivery is synchronous there, so that it precedes a cancellation in the same turn (C5)"
    ),
  ]
}
