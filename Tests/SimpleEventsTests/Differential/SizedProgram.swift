import SimpleEvents
import TestSupport

/// A random program on a collector that has a batch size, under any policy.
struct SizedProgram {
  enum Step {
    case add(key: Int)
    case addContents(keys: [Int])
    case cancel
    case flush
  }

  var policy: NaiveModel.Policy
  var rule: CollectorProgram.Rule
  var limit: Int
  var size: Int
  /// The steps, each at an instant in milliseconds.
  var steps: [(tick: Int, step: Step)]
  /// Each call of the block takes the next list of steps, until no list is left.
  var callbacks: [[Step]]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    policy = NaiveModel.Policy(random: NaiveModel.Shape.allCases.randomElement(using: &random)!, &random)
    rule = CollectorProgram.Rule.allCases.randomElement(using: &random)!
    limit = Int.random(in: 1...9, using: &random)
    size = Int.random(in: 1...4, using: &random)
    if Int.random(in: 0..<8, using: &random) == 0 { size = .max }
    let density = Int.random(in: 0...6, using: &random)
    var tick = 0
    steps = (0..<Int.random(in: 2...30, using: &random)).map { _ in
      tick += Int.random(in: 0...density, using: &random)
      return (tick, Self.step(&random))
    }
    callbacks = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.step(&random) }
    }
  }

  private static func step(_ random: inout SeededGenerator) -> Step {
    let keys = (0..<Int.random(in: 0...7, using: &random)).map { _ in Int.random(in: 0..<9, using: &random) }
    return switch Int.random(in: 0..<12, using: &random) {
    case 0..<8: .add(key: Int.random(in: 0..<9, using: &random))
    case 8, 9: .addContents(keys: keys)
    case 10: .cancel
    default: .flush
    }
  }
}
