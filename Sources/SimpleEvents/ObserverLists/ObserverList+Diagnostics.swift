// These methods decide whether a use of a list is flagged. `Misuse+Observers.swift` has the messages.
extension ObserverList {
  /// The subject of diagnostics. It is read under the lock, because the details of a list are created when
  /// they are first needed. The subject never changes.
  var subject: DiagnosticSubject { state.withLock { $0.details?.watch?.subject } ?? Self.unnamed }

  /// The subject of a list that has no label and does not check for misuse.
  static let unnamed: DiagnosticSubject = DiagnosticSubject(ObserverList.self)

  func flag(_ misuse: @autoclosure () -> Misuse) { subject.misuse.flag(misuse()) }

  /// Flags an error if the list already has an entry with the address of an added observer.
  ///
  /// If the entry belongs to the same observer, the second addition is flagged. Otherwise the observer of the
  /// entry was deallocated, and is flagged as never removed.
  func flagPresent(_ present: ObserverEntry, at site: CallSite?) {
    guard present.isAlive else { return flagNeverRemoved(present) }
    flag(.addedTwice(present.typeName, to: subject, at: site, first: present.site))
  }

  /// Flags a removal that found no entry, or only the entry of a deallocated observer at the same address.
  func flagRemoval(of entry: ObserverEntry?, _ object: AnyObject, at site: CallSite?) {
    if let entry {
      #if canImport(ObjectiveC)
        // Forming a weak reference to an Objective-C object inside its `deinit` stops the program.
        return
      #else
        // If the object is alive and the entry's observer is deallocated, another observer had this address
        // and was never removed. An object inside its `deinit` does not count as alive.
        guard !entry.isAlive && WeakHandle(object).object != nil else { return }
        flagNeverRemoved(entry)
      #endif
    }
    flag(.notInstalled(type(of: object), in: subject, at: site))
  }

  func flagNeverRemoved(_ entry: ObserverEntry) {
    flag(.neverRemoved(entry.typeName, from: subject, added: entry.site))
  }
}

extension ObserverList.Entries {
  /// Flags the observers that were found deallocated and that no thread has removed.
  ///
  /// This method is called when a list is deallocated or closed. No thread can then be removing an observer,
  /// because that thread would hold a reference to the hub or event.
  func flagUnremoved() {
    guard let details, let watch = details.watch, watch.isActive else { return }
    for case let entry as DeallocatedObserver in details.byID.values {
      watch.subject.misuse.flag(.neverRemoved(entry.typeName, from: watch.subject, added: entry.site))
    }
  }
}
