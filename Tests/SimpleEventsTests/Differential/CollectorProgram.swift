import TestSupport

/// A random program on a collector, and the steps that its block runs.
struct CollectorProgram {
  /// The rules by which a collector drops elements.
  enum Rule: CaseIterable {
    case newest
    case oldest
    case distinct
  }

  let rule: Rule
  let limit: Int
  /// The length in milliseconds of the window of a leading-only policy; nil for the next-turn policy.
  let window: Int?
  /// Whether a function receives the elements that are dropped.
  let reportsDrops: Bool
  var steps: [CollectorStep]
  /// Each call of the block runs the next list of steps, until no list is left.
  let callbacks: [[CollectorStep]]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    rule = Rule.allCases.randomElement(using: &random)!
    limit = Int.random(in: 1...5, using: &random)
    window = Bool.random(using: &random) ? 10 : nil
    reportsDrops = Bool.random(using: &random)
    steps = (0..<Int.random(in: 4...30, using: &random)).map { _ in Self.step(&random) }
    callbacks = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.step(&random) }
        // NB: a block must not run turns, because it would advance the scheduler from inside.
        .filter { if case .advance = $0 { false } else { true } }
    }
  }

  private static func step(_ random: inout SeededGenerator) -> CollectorStep {
    let keys = (0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
    return switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: .add(key: Int.random(in: 0..<6, using: &random))
    case 5..<7: .addContents(keys: keys)
    case 7: .cancel
    case 8: .flush
    default: .advance([0, 1, 4, 10].randomElement(using: &random)!)
    }
  }
}
