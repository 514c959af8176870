/// One step of a random program on a hub; a cycle holds the steps that its callbacks run.
indirect enum HubStep {
  /// Stores a new observer in a slot, in the place of the slot's former observer.
  case create(slot: Int, removesInDeinit: Bool)
  case add(slot: Int)
  case remove(slot: Int)
  case addAgain(slot: Int)
  /// Drops the reference to the observer in a slot, removed or not.
  case drop(slot: Int)
  case removeAll
  case isEmpty
  /// Drops the reference to the hub; the next step outside all cycles begins with a new one.
  case dropHub
  /// Runs a cycle: its first callback runs the first list of steps, its second callback the second one.
  case cycle([[HubStep]], throwsAt: Int?)

  static let slots: Int = 6
}
