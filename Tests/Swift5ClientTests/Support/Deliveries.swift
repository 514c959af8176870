import Dispatch
import Foundation

/// The deliveries of an object on the main queue. Tests can wait for them.
@MainActor final class Deliveries {
  private(set) var instants: [DispatchTime] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  nonisolated init() {}

  var count: Int { instants.count }

  func note() {
    dispatchPrecondition(condition: .onQueue(.main))
    instants.append(.now())
    if let waiting, count >= waiting.count {
      stopWaiting()
    }
  }

  /// Returns when the given number of deliveries were made, or when the test's time limit has passed.
  func reach(_ count: Int) async {
    guard self.count < count else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiting = (count, $0) }
    } onCancel: {
      DispatchQueue.main.async { self.stopWaiting() }
    }
  }

  private func stopWaiting() {
    waiting?.continuation.resume()
    waiting = nil
  }
}

/// Lets the main queue run for at least a number of seconds.
@MainActor func mainQueue(runsFor seconds: TimeInterval) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { continuation.resume() }
  }
}
