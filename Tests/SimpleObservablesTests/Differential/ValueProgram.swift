import TestSupport

/// A random sequence of events of two sources.
struct ValueProgram: Sendable {
  enum Event: Sendable, Equatable {
    case next(Int)
    case finish
    case fail
  }

  struct Step: Sendable {
    let source: Int
    let event: Event
  }

  /// The events. No event follows the end of its source.
  var steps: [Step]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var hasEnded = [false, false]
    steps = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
      let source = Int.random(in: 0...1, using: &random)
      guard !hasEnded[source] else { return nil }
      let event: Event =
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .finish
        case 1: .fail
        default: .next(Int.random(in: 0..<20, using: &random))
        }
      if event == .finish || event == .fail { hasEnded[source] = true }
      return Step(source: source, event: event)
    }
  }
}
