/// The events that fired since the last delivery of a group observer, each once, in the order of first firing
/// (E8).
final class FiredEvents {
  private let coalescer: Coalescer
  let subject: DiagnosticSubject
  private let origin: BlockIsolation
  private let block: StoredBlock<[any SimpleEventObservable]>
  // SAFETY: these variables are used under the coalescer's lock only, so no two accesses overlap.
  @exclusivity(unchecked) private var events: [any SimpleEventObservable] = []
  @exclusivity(unchecked) private var identifiers: Set<ObjectIdentifier> = []

  init(
    on scheduler: any EventScheduler, policy: CoalescingPolicy, _ subject: DiagnosticSubject,
    _ origin: BlockIsolation, _ block: StoredBlock<[any SimpleEventObservable]>
  ) {
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    self.subject = subject
    self.origin = origin
    self.block = block
  }

  var isPending: Bool { coalescer.isPending }

  /// Adds an event, even if the policy ignores its signal (E8).
  func add(_ event: any SimpleEventObservable) {
    coalescer.signal(for: self) { _ in
      if unsafe identifiers.insert(ObjectIdentifier(event)).inserted { unsafe events.append(event) }
    }
  }

  /// Drops the events and closes the window (C7).
  func cancel() {
    var dropped: [any SimpleEventObservable] = []
    coalescer.cancel { dropped = take() }
    withExtendedLifetime(dropped) {}
  }

  /// Drops the events, and delivers no event that is added during this call or after it (E6).
  func close() {
    var dropped: [any SimpleEventObservable] = []
    coalescer.close { dropped = take() }
    withExtendedLifetime(dropped) {}
  }

  /// Delivers the events now, if a delivery is pending (C7).
  func flush() {
    var taken: [any SimpleEventObservable] = []
    let delivers = coalescer.flush(subject) {
      taken = take()
      return CoalescingGate.Rest()
    }
    if delivers { deliver(taken) }
  }

  /// The group observer in words.
  ///
  /// - Parameter name: The name of the group observer, and the number of observed events.
  func description(_ name: String) -> String {
    let count = coalescer.withLock { unsafe events.count }
    return coalescer.description(name, pending: count > 0 ? counted(count, "event") : nil)
  }

  /// Takes the events. Called under the lock.
  private func take() -> [any SimpleEventObservable] {
    defer { unsafe (events, identifiers) = ([], []) }
    return unsafe events
  }

  private func deliver(_ events: [any SimpleEventObservable]) {
    origin.flagIfOffActor(subject)
    block.call(events)
    coalescer.finish(for: self, subject)
  }
}

extension FiredEvents: Wakeable, PendingObject {
  package var isEndless: Bool { coalescer.isEndless }

  package func wake(_ cause: WakeCause) {
    var taken: [any SimpleEventObservable] = []
    let effect = coalescer.wake(cause, for: self) { _ in
      taken = take()
      return CoalescingGate.Rest()
    }
    // The events of a delivery that is lost are released here (S7).
    if effect == .delivers { deliver(taken) }
  }
}

// SAFETY: the coalescer's lock guards the events, and the block is called on the scheduler, one call at a
// time (C1). All other properties are immutable.
extension FiredEvents: @unchecked Sendable {}
