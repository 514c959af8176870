import TestSupport

/// A random program on a mailbox, and the steps that the observer of its event runs.
struct MailboxProgram {
  var steps: [MailboxStep]
  /// Each call of the observer runs the next step, until no step is left.
  var callbacks: [MailboxStep]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    steps = (0..<Int.random(in: 4...30, using: &random)).map { _ in Self.step(&random) }
    // NB: an observer must not run a turn, because it would advance the scheduler from inside.
    callbacks = (0..<Int.random(in: 0...8, using: &random)).map { _ in Self.step(&random) }
      .filter { if case .turn = $0 { false } else { true } }
  }

  private static func step(_ random: inout SeededGenerator) -> MailboxStep {
    let value = [nil, 1, 2].randomElement(using: &random)!
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: .replaceEvenIfSame(value)
    case 1: .replace(value)
    case 2: .placeIfFits(value)
    case 3: .take
    case 4: .look
    default: .turn
    }
  }
}
