internal import Dispatch
internal import Observation
internal import Synchronization

/// An observed property without content, with which an ``ObservationEvent`` ends its observation of models.
///
/// Every run of the event's block reads the property, and the deallocation of the event changes it.
/// The module Observation then removes the registrations of the event from the models.
final class DeallocationMarker: Observable, Sendable {
  private let registrar: ObservationRegistrar = ObservationRegistrar()
  /// The number of threads that are announcing a change of a model to the event.
  ///
  /// The operations are relaxed, because only the announcing thread itself needs the exact value.
  private let announcements: Atomic<Int> = Atomic(0)

  /// Whether the caller may be announcing a change.
  var isAnnouncing: Bool { announcements.load(ordering: .relaxed) > 0 }

  /// Calls a body. The body announces a change to the event, and releases its reference to the event.
  func announce(_ body: () -> Void) {
    announcements.wrappingAdd(1, ordering: .relaxed)
    body()
    announcements.wrappingSubtract(1, ordering: .relaxed)
  }

  // NB: the observed property is the marker itself. Observation hashes the key path several times for each
  // run. This takes little time, because the key path `\.self` has no components.
  func read() { registrar.access(self, keyPath: \.self) }

  func end() { registrar.withMutation(of: self, keyPath: \.self) {} }
}

/// The closure and the observers of an event that was deallocated during an announcement. The scheduler
/// releases them.
final class DeferredRelease: @unchecked Sendable {
  // SAFETY: after the initialiser has returned, one piece of work uses the object.
  private var block: StoredAction?
  private var observers: ObserverList.Entries?

  init(_ block: StoredAction?, _ observers: ObserverList.Entries?) {
    self.block = block
    self.observers = observers
  }

  deinit {
    // If the observers are still here, a lost scheduler has released the work without running it, perhaps
    // under the lock of a setter (S7).
    if case .none = observers { return }
    // NB: the references are taken. A reference that stayed here might be the last one, and would then be
    // released on this thread, at the end of this `deinit`.
    let rest = DeferredRelease(block.take(), observers.take())
    DispatchQueue.global().async { rest.release() }
  }

  func release() { (block, observers) = (nil, nil) }
}
