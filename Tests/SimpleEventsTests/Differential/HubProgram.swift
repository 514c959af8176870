import Synchronization
import TestSupport

/// One step of a random program on a hub; a cycle carries the steps that its callbacks take.
indirect enum HubStep {
  /// Puts a new observer into a slot; the one that was there goes.
  case create(slot: Int, removesInDeinit: Bool)
  case add(slot: Int)
  case remove(slot: Int)
  case addAgain(slot: Int)
  /// Lets the observer in a slot go, removed or not.
  case drop(slot: Int)
  case removeAll
  case isEmpty
  /// Lets the hub go; the next step outside all cycles begins with a new one.
  case dropHub
  /// Runs a cycle: its first callback takes the first steps, the second the second ones, and so on.
  case cycle([[HubStep]], throwsAt: Int?)

  static let slots: Int = 6
}

/// What a random program did, in order; two lists that behave alike give the same one.
struct HubOutcome {
  var trace: [String] = []
  /// How often dead observers were noticed. Not part of the trace: when one is noticed is left open.
  var neverRemoved: Int = 0
  /// How many observers died without having been removed.
  var deaths: Int = 0
}

/// A list of observers that a program can run on: the hub, or the model of one.
protocol ListUnderTest: AnyObject {
  init(reportingTo log: HubMisuseLog)
  var isEmpty: Bool { get }
  func put(_ observer: any Watching)
  func take(_ observer: any Watching)
  func each(_ body: (any Watching) throws -> Void) throws
}

/// The misuses that a program can commit.
enum HubMisuse: Sendable {
  case addedTwice
  case notInstalled
  case neverRemoved
  case nestedCycle
}

/// Collects misuses, from inside the hub.
final class HubMisuseLog: Sendable {
  private let misuses: Mutex<[HubMisuse]> = Mutex([])

  func add(_ misuse: HubMisuse) {
    misuses.withLock { $0.append(misuse) }
  }

  /// Hands over what has been collected since the last call.
  func takeAll() -> [HubMisuse] {
    misuses.withLock { misuses in
      defer { misuses = [] }
      return misuses
    }
  }
}

/// An observer in a program, with a number that is never given twice, other than its address.
protocol Watching: AnyObject {
  var serial: Int { get }
}

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
