import SimpleEvents
import TestSupport

/// A random program on an object that has many keys, and the steps that its block runs.
struct KeyedProgram {
  enum Step {
    case signal(Int)
    case cancel(Int)
    case flush(Int)
    case cancelAll
    case advance(Int)

    /// The key to which the step applies; nil if it applies to all keys.
    var key: Int? {
      switch self {
      case .signal(let key), .cancel(let key), .flush(let key): key
      case .cancelAll, .advance: nil
      }
    }
  }

  /// The rules by which a collector drops elements.
  enum Rule {
    case newest(Int)
    case oldest(Int)
    case distinct(Int)
    case combined
  }

  /// Whether timers fire early and have to be armed again.
  let isEarly: Bool
  let policy: CoalescingPolicy
  let keyCount: Int
  /// The rule and the limit of a collector.
  let rule: Rule
  let batchSize: Int
  var steps: [Step]
  /// The lists of steps of each key: each call of the block runs the next list, until no list is left. The
  /// steps apply to the same key: if each key has an object, the keys that are due at one instant are called
  /// in another order.
  let callbacks: [[[Step]]]

  init(seed: UInt64, isEarly: Bool = false) {
    self.isEarly = isEarly
    var random = SeededGenerator(seed: seed)
    policy = Policies.all[Int(seed) % Policies.all.count]
    keyCount = Int.random(in: 1...5, using: &random)
    let keys = 0..<keyCount
    let count = Int.random(in: 1...5, using: &random)
    rule = [.newest(count), .oldest(count), .distinct(count), .combined].randomElement(using: &random)!
    batchSize = Bool.random(using: &random) ? .max : Int.random(in: 1...3, using: &random)
    steps = (0..<Int.random(in: 4...40, using: &random)).map { _ in Self.step(keys, &random) }
    // After a flush in a delivery, a signal opens a window of its key. An object that joins signals without
    // its gate adds the signal to the pending delivery instead.
    let canFlush = ![
      .throttle(.milliseconds(10)), .throttle(.milliseconds(10), edges: .trailing), .audit(.milliseconds(10)),
    ].contains(policy)
    callbacks = keys.map { key in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let steps = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.step(key..<key + 1, &random) }
        return steps.filter { if case .flush = $0 { canFlush } else { $0.key != nil } }
      }
    }
  }

  var limit: ElementLimit<CollectorElement> {
    switch rule {
    case .newest(let count): .newest(count)
    case .oldest(let count): .oldest(count)
    case .distinct(let count): .distinct(count, by: \.key)
    case .combined:
      .combined { CollectorElement(key: $0.key + $1.key, serial: $1.serial) }
    }
  }

  private static func step(_ keys: Range<Int>, _ random: inout SeededGenerator) -> Step {
    let key = Int.random(in: keys, using: &random)
    return switch Int.random(in: 0..<24, using: &random) {
    case 0..<12: .signal(key)
    case 12..<14: .cancel(key)
    case 14..<16: .flush(key)
    case 16: .cancelAll
    default: .advance([0, 1, 3, 4, 9, 10, 11, 25].randomElement(using: &random)!)
    }
  }
}
