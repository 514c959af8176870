/// A step queue with the state of a broadcast. The state changes together with the order of the steps.
// NB: this class is separate, so that the type of the optional value is a parameter. The deinit of a class
// that is generic over the wrapped type would look up the optional type. This look-up takes a tenth of a
// subject's life.
@_fixed_layout @usableFromInline class ValueQueue<Step, State>: StepQueue<Step>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds. The lock guards the variables below, so no two accesses
  // overlap. A check of that at run time would cost as much as the lock, for each value.
  // NB: the small properties are the first ones. They share a word with the small properties of the
  // superclass, whatever the size of the value is.

  /// The values that a new subscriber receives first.
  @usableFromInline final let replay: ReplayKind
  /// Whether the end was sent, delivered or not.
  @exclusivity(unchecked) @usableFromInline final var isOver: Bool = false
  /// The number of subscribers that need every value, including subscribers whose addition is queued. If it
  /// is zero, a newer value may replace a queued value (V3). A subject that replays several values needs
  /// every value itself, and adds one to the number.
  @exclusivity(unchecked) @usableFromInline final var nonConflatingCount: Int32
  /// The value that was sent last, delivered or not.
  @exclusivity(unchecked) @usableFromInline final var latest: State

  @inlinable init(
    _ latest: State, replay: ReplayKind, nonConflatingCount: Int32 = 0, details: StepQueueDetails<Step>? = nil
  ) {
    self.replay = replay
    unsafe self.nonConflatingCount = nonConflatingCount
    unsafe self.latest = latest
    super.init(details: details)
  }
}
