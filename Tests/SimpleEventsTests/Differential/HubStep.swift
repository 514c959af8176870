/// One step of a random program on a hub. The step of a cycle contains the steps that its callbacks run.
indirect enum HubStep {
  /// Stores a new observer in a slot. The previous observer of the slot is released.
  case create(slot: Int, removesInDeinit: Bool)
  case add(slot: Int)
  case remove(slot: Int)
  case addAgain(slot: Int)
  /// Releases the observer in a slot, whether it was removed or not.
  case drop(slot: Int)
  case removeAll
  case isEmpty
  /// Releases the hub. The next step outside all cycles creates a new hub first.
  case dropHub
  /// Runs a cycle. Its first callback runs the first list of steps, and its second callback the second list.
  case cycle([[HubStep]], throwsAt: Int?)

  static let slots: Int = 6
}
