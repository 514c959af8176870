internal import Synchronization

/// The observers of an event, in a list that is made for the first of them: an event without observers stays
/// small.
///
/// The list of an event with a label or an active handler of misuse is made immediately.
@safe struct LazyObserverList: ~Copyable {
  /// The list, retained.
  ///
  /// Set once by a compare-exchange, which releases the writes of the list's initialiser; every reader
  /// acquires.
  // NB: not `AtomicLazyReference`, whose load is a call into another module and retains.
  private let reference: Atomic<Unmanaged<ObserverList>?>

  init(_ subject: DiagnosticSubject) {
    let list = subject.needsDiagnostics ? ObserverList(subject, isShared: true) : nil
    unsafe reference = Atomic(list.map { unsafe Unmanaged.passRetained($0) })
  }

  deinit { unsafe reference.load(ordering: .acquiring)?.takeRetainedValue().close() }

  /// The list, made now if there is none. Of two threads, the first makes it.
  var list: ObserverList {
    if let list = unsafe reference.load(ordering: .acquiring) {
      return unsafe list.takeUnretainedValue()
    }
    let list = unsafe Unmanaged.passRetained(ObserverList(ObserverList.unnamed, isShared: true))
    let (isFirst, other) = unsafe reference.compareExchange(
      expected: nil, desired: list, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
    if isFirst { return unsafe list.takeUnretainedValue() }
    unsafe list.release()
    return unsafe other!.takeUnretainedValue()
  }

  /// The event in diagnostics.
  var subject: DiagnosticSubject {
    unsafe reference.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.subject }
      ?? ObserverList.unnamed
  }

  /// Calls the observers with an event, under no lock.
  ///
  /// The caller retains the event that owns the list, so the list lives as long as the cycle.
  borrowing func notify(_ event: any SimpleEventObservable) {
    unsafe reference.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.notify(event) }
  }
}
