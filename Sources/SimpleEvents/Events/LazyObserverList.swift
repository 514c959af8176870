internal import Synchronization

/// The list of an event's observers. It is created for the first observer, so an event without observers
/// stays small.
///
/// If the event has a label or an active handler of misuse, the list is created immediately.
@safe struct LazyObserverList: ~Copyable {
  /// The list, retained; nil if it is not created yet.
  ///
  /// It is set once, by a compare-exchange with releasing order. Every reader loads it with acquiring order,
  /// and therefore sees the writes of the list's initialiser.
  // NB: this is not an `AtomicLazyReference`. The load of an `AtomicLazyReference` is a call into another
  // module, and retains the object.
  private let reference: Atomic<Unmanaged<ObserverList>?>

  init(_ subject: DiagnosticSubject) {
    let list = subject.needsDiagnostics ? ObserverList(subject, isShared: true) : nil
    unsafe reference = Atomic(list.map { unsafe Unmanaged.passRetained($0) })
  }

  deinit { unsafe reference.load(ordering: .acquiring)?.takeRetainedValue().close() }

  /// The list, which is created now if there is none. If two threads create a list, the first list is kept.
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

  /// The subject of diagnostics: the event.
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
