/// A queue whose steps are functions.
final class ActionQueue: StepQueue<() -> Void>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds. Any thread may perform the functions, one at a time.

  func submit(_ action: @escaping () -> Void) { submit(action) { action() } }

  override func drain() { drain { $0() } }
}
