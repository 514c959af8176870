/// One step of a random program on an event. Callbacks run steps of their own, see `EventProgram`.
indirect enum EventStep {
  case trigger(if: Bool)
  /// Runs steps in a coalescing block. The block may end with an error.
  case coalesce([EventStep], throwsError: Bool)
  /// Adds a block and stores its token in a slot. The previous token of the slot is released.
  case addBlock(slot: Int)
  case removeToken(slot: Int)
  case dropToken(slot: Int)
  /// Releases the last reference to the event.
  case dropEvent

  static let slots: Int = 4
}
