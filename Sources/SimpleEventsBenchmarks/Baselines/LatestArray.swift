/// The newest values of several sources, by hand: each value is stored in an array, and the array is passed
/// on.
final class LatestArray {
  private var values: [Int]
  private let closure: ([Int]) -> Void

  init(count: Int, _ closure: @escaping ([Int]) -> Void) {
    values = Array(0..<count)
    self.closure = closure
  }

  func set(_ value: Int, at index: Int) {
    values[index] = value
    closure(values)
  }
}

/// The newest values of two sources, by hand.
final class LatestPair {
  private var first: Int? = 0
  private var second: Int? = 0
  private let closure: (Int, Int) -> Void

  init(_ closure: @escaping (Int, Int) -> Void) { self.closure = closure }

  func setFirst(_ value: Int) {
    first = value
    send()
  }

  func setSecond(_ value: Int) {
    second = value
    send()
  }

  private func send() {
    if let first, let second { closure(first, second) }
  }
}
