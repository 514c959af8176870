internal import CExplorer

/// The choices of one execution, and the order in which executions are run.
///
/// An execution is determined by its choices alone, so no other state is stored. The next execution repeats
/// the choices up to the last one that has an alternative, takes the alternative, and continues with option
/// zero of each further choice. The numbers of choices do not depend on the bound. Option zero has no cost,
/// so a replay needs only the options that are not zero.
package struct Choices {
  /// The order in which options are taken.
  package enum Mode {
    /// All options in turn, depth first.
    case systematic
    /// At random. With `rarity` n, an option with a cost is taken in one of n choices on average.
    case random(SeededGenerator, rarity: UInt64)
    /// The options of a numbered list.
    case replay([Int: Int])
  }

  private struct Branch {
    var option: Int
    var count: Int
  }

  package var mode: Mode = .systematic
  private var branches: ContiguousArray<Branch> = []
  private var depth: Int = 0
  /// The number of choices of this execution so far.
  package private(set) var number: Int = 0
  /// The options that are not zero, with the numbers of their choices.
  package private(set) var taken: ContiguousArray<(number: Int, option: Int)> = []
  /// Whether a repeated execution reached a choice that differs from the earlier execution.
  package private(set) var hasDiverged: Bool = false

  /// Takes one of several options.
  ///
  /// - Parameters:
  ///   - count: The number of options, including those that the bound forbids.
  ///   - free: The number of options without a cost, which come first.
  ///   - allowed: The number of options that the bound allows.
  package mutating func choose(of count: Int, free: Int, allowed: Int) -> Int {
    number += 1
    let option: Int
    switch mode {
    case .systematic:
      option = allowed > 1 ? nextSystematic(of: allowed) : 0
    case .random(var random, let rarity):
      let isPaid = allowed > free && random.next() % rarity == 0
      option = isPaid ? free + Int(random.next() % UInt64(allowed - free)) : Int(random.next() % UInt64(free))
      mode = .random(random, rarity: rarity)
    case .replay(let options):
      option = min(options[number] ?? 0, count - 1)
    }
    if option != 0 {
      taken.append((number, option))
      crash_add(Int32(number), Int32(option))
    }
    return option
  }

  private mutating func nextSystematic(of count: Int) -> Int {
    defer { depth += 1 }
    if depth == branches.count {
      branches.append(Branch(option: 0, count: count))
    } else if branches[depth].count != count {
      hasDiverged = true
      return 0
    }
    return branches[depth].option
  }

  /// Begins the next execution; returns false if there is none.
  package mutating func advance() -> Bool {
    depth = 0
    number = 0
    taken.removeAll(keepingCapacity: true)
    guard case .systematic = mode else { return true }
    while let last = branches.last {
      if last.option + 1 < last.count {
        branches[branches.count - 1].option += 1
        return true
      }
      branches.removeLast()
    }
    return false
  }

  /// Discards all executions, before the scenario is explored with another bound or in another mode.
  package mutating func restart(_ mode: Mode) {
    self.mode = mode
    hasDiverged = false
    branches.removeAll(keepingCapacity: true)
    _ = advance()
  }

  /// The choices of this execution in the form that a replay takes: `12:1,40:2`, or `-` if all are zero.
  package var description: String {
    taken.isEmpty ? "-" : taken.map { "\($0.number):\($0.option)" }.joined(separator: ",")
  }

  /// Parses a description.
  package static func parse(_ text: String) -> Mode? {
    var options: [Int: Int] = [:]
    for part in text.split(separator: ",") where text != "-" {
      let numbers = part.split(separator: ":").map { Int($0) }
      guard numbers.count == 2, let number = numbers[0], let option = numbers[1] else { return nil }
      options[number] = option
    }
    return .replay(options)
  }
}
