internal import Dispatch
internal import Synchronization

/// Hand-written coalescing of very many events on one queue: one turn empties a list of the pending events.
final class SharedList: Sendable {
  final class Event: Sendable {
    let handler: @Sendable () -> Void
    let isPending: Atomic<Bool> = Atomic(false)

    init(_ handler: @escaping @Sendable () -> Void) {
      self.handler = handler
    }
  }

  private let queue: DispatchQueue
  /// Guards the list of pending events.
  private let pending: Mutex<[Event]> = Mutex([])

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func trigger(_ event: Event) {
    // The exchange acquires and releases, because writes before a trigger must be visible to the handler.
    guard !event.isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let isFirst = pending.withLock { pending in
      pending.append(event)
      return pending.count == 1
    }
    if isFirst {
      queue.async { self.drain() }
    }
  }

  private func drain() {
    let events = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    for event in events {
      _ = event.isPending.exchange(false, ordering: .acquiringAndReleasing)
      event.handler()
    }
  }
}
