import Dispatch
import Foundation
import Synchronization

/// Sends a line to the tool each millisecond, for at most five seconds.
final class Storm: Sendable {
  private let isWanted: Atomic<Bool> = Atomic(true)
  private let isOver: Atomic<Bool> = Atomic(false)
  private let thread: DispatchGroup = DispatchGroup()

  init(_ tool: Tool) {
    DispatchQueue.global().async(group: thread) { [self] in
      for _ in 1...5000 where isWanted.load(ordering: .relaxed) {
        try? tool.send("storm\n")
        // NB: the tool runs in another process, so the test and the tool can share only real time.
        Thread.sleep(forTimeInterval: 0.001)
      }
      isOver.store(true, ordering: .relaxed)
    }
  }

  // The ordering is relaxed: the flags order no other data.
  var isActive: Bool { !isOver.load(ordering: .relaxed) }

  func end() {
    isWanted.store(false, ordering: .relaxed)
    thread.wait()
  }
}
