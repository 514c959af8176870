import Foundation
import SimpleEvents

/// A main-actor object that observes events with a timeout and a `DebouncePolicy`.
@MainActor final class Follower {
  let deliveries = Deliveries()
  private(set) var batches: [[SimpleEventObservable]] = []
  private var observer: SimpleEventGroupObserver?

  func follow(
    _ events: [SimpleEventObservable], timeout: TimeInterval, policy: SimpleEventGroupObserver.DebouncePolicy
  ) {
    observer = SimpleEventGroupObserver(events: events, debounceTimeout: timeout, debouncePolicy: policy) {
      [weak self] events in
      self?.batches.append(events)
      self?.deliveries.note()
    }
  }

  func stop() {
    observer?.remove()
    observer = nil
  }
}
