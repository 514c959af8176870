/// The source of the turns of one watched object, with the counts of that object.
///
/// It replaces the usual source of turns, so that an object that is not watched needs no memory for counts
/// (W1).
final class WatchedTurns: TurnSource, @unchecked Sendable {
  // SAFETY: the superclass is `Sendable`, and the properties of this class are constants of `Sendable` types.

  private let turns: TurnSource
  let source: CoalescingSource

  init(_ turns: TurnSource, _ source: CoalescingSource) {
    self.turns = turns
    self.source = source
    super.init(turns.scheduler)
  }

  override package var now: EventInstant { turns.now }

  override var isCurrent: Bool { turns.isCurrent }

  override var canLoseTurns: Bool { turns.canLoseTurns }

  override func ask(for object: WakeTarget) { turns.ask(for: object) }

  override func joinCounted() -> Bool { source.join() }
}
