/// A step queue with a value that changes together with the order of its steps.
// NB: this is a separate class. The deinit of a class that is generic over the wrapped type looks up the type
// of an optional value, which takes a tenth of a subject's life. Here that type is a parameter.
@_fixed_layout @usableFromInline class ValueQueue<Step, State>: StepQueue<Step>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds.

  /// SAFETY: used under the lock only, so no two accesses overlap. A check of that at run time would cost as
  /// much as the lock, for each value.
  @exclusivity(unchecked) @usableFromInline final var latest: State

  @inlinable init(_ latest: State, details: StepQueueDetails<Step>? = nil) {
    unsafe self.latest = latest
    super.init(details: details)
  }
}
