internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads that compete for the processors until they are ended.
final class BusyThreads: Sendable {
  private let count: Int
  private let mayEnd: Atomic<Bool> = Atomic(false)
  private let hasEnded: DispatchSemaphore = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    self.count = count
    for _ in 0..<count {
      Thread { [self] in
        // The ordering is relaxed, because the flag publishes no other memory.
        while !mayEnd.load(ordering: .relaxed) {}
        hasEnded.signal()
      }.start()
    }
  }

  /// Ends the threads, and returns when they have ended. Call this method once.
  func end() {
    mayEnd.store(true, ordering: .relaxed)
    for _ in 0..<count { hasEnded.wait() }
  }
}
