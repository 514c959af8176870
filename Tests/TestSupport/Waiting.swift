package import Dispatch

extension DispatchSemaphore {
  /// Waits for a signal that a correct program always sends; returns false if no signal was sent within 20
  /// seconds.
  package func waitOrGiveUp() -> Bool {
    wait(timeout: .now() + .seconds(20)) == .success
  }
}

/// Returns when the main queue has run the work that was queued before the call.
@MainActor package func mainQueueTurn() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}
