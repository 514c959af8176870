internal import ExplorerEngine

/// Checks the calls of one subscriber: they never overlap, and no lock is held during them.
final class Subscriber {
  private(set) var values: [Int] = []
  private(set) var ends: Int = 0
  private var isRunning: Bool = false
  /// Data that a subscriber writes without a lock.
  private var plain: PlainCell = PlainCell()

  func take(_ value: Int) {
    enter()
    expect(ends == 0, "V4: no value follows the end")
    values.append(value)
    step()
    isRunning = false
  }

  func end() {
    enter()
    ends += 1
    expect(ends == 1, "V4: the end reaches a subscriber once")
    step()
    isRunning = false
  }

  private func enter() {
    expectUnlocked()
    expect(!isRunning, "V2: no subscriber is called by two threads at the same time")
    expect(plain.write(), "V2: each call of a subscriber happens before the next one")
    isRunning = true
  }
}
