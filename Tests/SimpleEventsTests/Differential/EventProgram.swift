import TestSupport

/// One step of a random program on an event; callbacks take steps of their own, see `EventProgram`.
indirect enum EventStep {
  case trigger(if: Bool)
  /// Opens a coalescing block around steps, which may end with an error.
  case coalesce([EventStep], throwsError: Bool)
  /// Adds a block, whose token goes into a slot; the one that was there goes.
  case addBlock(slot: Int)
  case removeToken(slot: Int)
  case dropToken(slot: Int)
  /// Lets the event go.
  case dropEvent

  static let slots: Int = 4
}

/// A program, and what callbacks do: each call takes the next list of steps, until none is left.
struct EventProgram {
  var steps: [EventStep]
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

/// An event that a program can run on: the real one, or the model of one.
protocol EventUnderTest: AnyObject {
  func fire(if condition: Bool)
  func collect(_ body: () throws -> Void) throws
  /// Adds a block, and returns what keeps it.
  func listen(_ block: @escaping () -> Void) -> any ListenerUnderTest
}

protocol ListenerUnderTest: AnyObject {
  func end()
}
