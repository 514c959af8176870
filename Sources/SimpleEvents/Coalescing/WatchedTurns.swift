/// The source of the turns of one object that is watched, with the counts of that object.
///
/// It takes the place of the source that the object would have otherwise, so that an object which is not
/// watched has no room for counts (W1).
final class WatchedTurns: TurnSource, @unchecked Sendable {
  // SAFETY: as its superclass. It never changes.

  private let turns: TurnSource
  let source: CoalescingSource

  init(_ turns: TurnSource, _ source: CoalescingSource) {
    self.turns = turns
    self.source = source
    super.init(turns.scheduler)
  }

  override var now: EventInstant { turns.now }

  override var isCurrent: Bool { turns.isCurrent }

  override var canLoseTurns: Bool { turns.canLoseTurns }

  override func ask(for object: WakeTarget) { turns.ask(for: object) }
}
