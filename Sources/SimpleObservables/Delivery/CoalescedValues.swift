public import SimpleEvents

/// Holds the newest value until a policy delivers it to an observer. It is a coalescer with a payload.
///
/// The object is also the subscription to the source.
@usableFromInline
final class CoalescedValues<Value>: Subscription, Wakeable, PendingObject, @unchecked Sendable {
  // SAFETY: the coalescer's lock guards the payload, and the coalescer makes one delivery at a time (C1), on
  // the scheduler.

  private let coalescer: Coalescer
  // Only debug builds store the subject, so that a subscriber stays small in a release build.
  #if DEBUG
    package let subject: DiagnosticSubject
  #else
    package var subject: DiagnosticSubject { DiagnosticSubject(Observable<Value>.self) }
  #endif
  private let downstream: Observer<Value>
  // SAFETY: the properties are used only under the coalescer's lock, so no two accesses overlap. A check of
  // this at run time would cost as much as the lock, for each value.
  @exclusivity(unchecked) @usableFromInline var newest: Value?
  @exclusivity(unchecked) private var completion: Completion?

  @usableFromInline init(
    _ downstream: Observer<Value>, on scheduler: any EventScheduler, policy: CoalescingPolicy,
    fileID: StaticString, line: UInt
  ) {
    self.downstream = downstream
    let subject = DiagnosticSubject(
      Observable<Value>.self, label: nil, misuse: .debugTrap, fileID: fileID, line: line)
    #if DEBUG
      self.subject = subject
    #endif
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    super.init()
  }

  package var isPending: Bool { coalescer.isPending }
  package var isEndless: Bool { coalescer.isEndless }

  /// The observer of the source.
  @inlinable var observer: Observer<Value> {
    Observer(self, conflates: true, onNext: { self.receive($0) }, onEnd: { self.end($0) })
  }

  @inlinable func receive(_ value: Value) {
    // The old value is released when this method returns, after the lock is released.
    var old: Value?
    signal { isAccepted in
      if isAccepted {
        unsafe old = newest
        unsafe newest = .some(value)
      }
    }
    withExtendedLifetime(old) {}
  }

  @usableFromInline
  func signal(storing store: (_ isAccepted: Bool) -> Void) { coalescer.signal(for: self, storing: store) }

  /// Delivers the end: immediately if the caller is known to be on the scheduler, otherwise on the next turn.
  /// A pending value is delivered before a regular end, and dropped by an error.
  @usableFromInline func end(_ completion: Completion) {
    var payload: (value: Value?, completion: Completion?) = (nil, nil)
    let delivers = coalescer.conclude(for: self) { delivers in
      unsafe self.completion = completion
      if delivers { payload = takePayload() }
    }
    if delivers { deliver(payload) }
  }

  package func wake(_ cause: WakeCause) {
    var payload: (value: Value?, completion: Completion?) = (nil, nil)
    let effect = coalescer.wake(cause, for: self) { _ in
      payload = takePayload()
      return .init()
    }
    switch effect {
    case .none: break
    case .delivers: deliver(payload)
    // The scheduler can no longer deliver (S7).
    case .loses: downstream.subscription.remove()
    }
  }

  private func takePayload() -> (value: Value?, completion: Completion?) {
    defer { unsafe (newest, completion) = (nil, nil) }
    return unsafe (newest, completion)
  }

  private func deliver(_ payload: (value: Value?, completion: Completion?)) {
    if case .failed(let error) = payload.completion {
      downstream.fail(error)
    } else {
      if case .some(let value) = payload.value { downstream.next(value) }
      if payload.completion != nil { downstream.finish() }
    }
    coalescer.finish(for: self, subject)
  }

  /// Ends the subscription to the source, and drops the pending value.
  @usableFromInline override func disconnect(_ subscription: Subscription) {
    remove()
    var payload: (value: Value?, completion: Completion?) = (nil, nil)
    coalescer.close { payload = takePayload() }
    withExtendedLifetime(payload) {}
  }
}
