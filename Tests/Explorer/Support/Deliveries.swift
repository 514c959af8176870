internal import ExplorerEngine

/// Checks the deliveries of one coalescer: they never overlap, and no lock is held during them.
final class Deliveries {
  private(set) var count: Int = 0
  private var isRunning: Bool = false

  func take(_ body: () -> Void = {}) {
    expectUnlocked()
    expect(!isRunning, "C1: a delivery never overlaps itself")
    isRunning = true
    count += 1
    body()
    step()
    isRunning = false
  }
}
