internal import Dispatch
internal import Observation
internal import Synchronization

/// An observed property without content. Every run reads it, and the deallocation of the event changes it, so
/// that Observation removes its registrations from the models.
final class DeallocationMarker: Observable, Sendable {
  private let registrar: ObservationRegistrar = ObservationRegistrar()
  /// The number of threads that are announcing a change to the event.
  ///
  /// Relaxed, because the only reader that needs the value is the announcing thread itself.
  private let announcements: Atomic<Int> = Atomic(0)

  /// Whether the caller may be announcing a change.
  var isAnnouncing: Bool { announcements.load(ordering: .relaxed) > 0 }

  /// Calls a body that announces a change, and releases its reference to the event.
  func announce(_ body: () -> Void) {
    announcements.wrappingAdd(1, ordering: .relaxed)
    body()
    announcements.wrappingSubtract(1, ordering: .relaxed)
  }

  // NB: the marker itself stands for the property. Observation hashes the key path several times for each
  // run, and this one has no component.
  func read() { registrar.access(self, keyPath: \.self) }

  func end() { registrar.withMutation(of: self, keyPath: \.self) {} }
}

/// The closure and the observers of an event that was deallocated during an announcement. The scheduler
/// releases them.
final class DeferredRelease: @unchecked Sendable {
  // SAFETY: after its initialiser, one piece of work uses it.
  private var block: StoredAction?
  private var observers: ObserverList.Entries?

  init(_ block: StoredAction?, _ observers: ObserverList.Entries?) {
    self.block = block
    self.observers = observers
  }

  deinit {
    // A scheduler that is lost has released the work without running it, perhaps under the lock of a setter
    // (S7).
    if case .none = observers { return }
    // NB: taken, because a reference that stays here until the end of this `deinit` may be the last one.
    let rest = DeferredRelease(block.take(), observers.take())
    DispatchQueue.global().async { rest.release() }
  }

  func release() { (block, observers) = (nil, nil) }
}
