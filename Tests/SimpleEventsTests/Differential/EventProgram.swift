import TestSupport

/// A random program on an event, and the steps that its callbacks run.
struct EventProgram {
  var steps: [EventStep]
  /// Each call of a block runs the next list of steps, until no list is left.
  var callbacks: [[EventStep]]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    steps = (0..<Int.random(in: 3...16, using: &random)).map { _ in Self.step(depth: 0, &random) }
    callbacks = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      (0..<Int.random(in: 0...2, using: &random)).map { _ in Self.step(depth: 1, &random) }
    }
  }

  private static func step(depth: Int, _ random: inout SeededGenerator) -> EventStep {
    let slot = Int.random(in: 0..<EventStep.slots, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35: return .trigger(if: Int.random(in: 0..<5, using: &random) > 0)
    case 35..<65: return .addBlock(slot: slot)
    case 65..<73: return .removeToken(slot: slot)
    case 73..<81: return .dropToken(slot: slot)
    case 81..<83: return .dropEvent
    default:
      guard depth < 3 else { return .trigger(if: true) }
      let inner = (0..<Int.random(in: 0...4, using: &random)).map { _ in step(depth: depth + 1, &random) }
      return .coalesce(inner, throwsError: Int.random(in: 0..<4, using: &random) == 0)
    }
  }
}
