import TestSupport

/// One step of a random program on a mailbox for optional numbers.
enum MailboxStep {
  case replaceEvenIfSame(Int?)
  case replace(Int?)
  case placeIfFits(Int?)
  case take
  case look
  /// Lets the event notify.
  case turn
}

/// A program, and what the event's observer does: each call takes the next step, until none is left.
struct MailboxProgram {
  var steps: [MailboxStep]
  var callbacks: [MailboxStep]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    steps = (0..<Int.random(in: 4...30, using: &random)).map { _ in Self.step(&random) }
    // NB: an observer that has a turn taken would advance the scheduler from inside.
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
