import Dispatch
import Foundation
import SimpleEvents
import SimpleEventsTesting
import Testing

/// Notes what happened, in order. Used on one thread at a time.
final class Journal {
  private(set) var entries: [String] = []

  func note(_ entry: String) {
    entries.append(entry)
  }
}

/// Collects the misuses that a hub or an event reports.
final class Complaints: @unchecked Sendable {
  // NB: `@unchecked`: the lock guards the list, which is all there is.
  private let lock = NSLock()
  private var list: [Misuse.Kind] = []

  var kinds: [Misuse.Kind] { lock.withLock { list } }
  var handler: MisuseHandler {
    .report { misuse in self.lock.withLock { self.list.append(misuse.kind) } }
  }
}

/// The deliveries of something on the main queue, for tests that wait for them.
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

  /// Lets the main queue run until that many deliveries have come, or the test's time is over.
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

/// Lets the main queue run what is queued by now.
@MainActor func mainQueueTurn() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// Lets the main queue run for at least a number of seconds.
@MainActor func mainQueue(runsFor seconds: TimeInterval) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { continuation.resume() }
  }
}
