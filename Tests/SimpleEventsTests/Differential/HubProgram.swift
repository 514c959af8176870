import TestSupport

/// A random program on a hub.
struct HubProgram {
  var steps: [HubStep]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    steps = (0..<Int.random(in: 4...24, using: &random)).map { _ in Self.step(depth: 0, &random) }
  }

  private static func step(depth: Int, _ random: inout SeededGenerator) -> HubStep {
    let slot = Int.random(in: 0..<HubStep.slots, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: return .create(slot: slot, removesInDeinit: Int.random(in: 0..<4, using: &random) > 0)
    case 22..<46: return .add(slot: slot)
    case 46..<56: return .remove(slot: slot)
    case 56..<61: return .addAgain(slot: slot)
    case 61..<69: return .drop(slot: slot)
    case 69..<72: return .removeAll
    case 72..<76: return .isEmpty
    case 76..<78: return .dropHub
    default:
      guard depth < 3 else { return .isEmpty }
      let callbacks = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (0..<Int.random(in: 0...2, using: &random)).map { _ in step(depth: depth + 1, &random) }
      }
      let throwsAt = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<5, using: &random) : nil
      return .cycle(callbacks, throwsAt: throwsAt)
    }
  }
}
