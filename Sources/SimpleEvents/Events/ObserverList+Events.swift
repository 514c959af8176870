// All events of this module register and notify their observers with these methods.
extension ObserverList {
  func observe(_ entry: BlockObserver) -> any SimpleEventToken {
    state.withLock { $0.append(entry) }
    return BlockToken(entry, in: self)
  }

  func add(_ observer: any SimpleEventObserver, at site: CallSite?) {
    add(WeakObserver(observer, as: (any SimpleEventObserver).self, object: observer, at: site), at: site)
  }

  func notify(_ event: any SimpleEventObservable) {
    cycle { entry, kind in
      // SAFETY: an event's list has entries of the classes `WeakObserver` and `BlockObserver` only, and the
      // kind of an entry says which class it has.
      if kind == .weak {
        let entry = unsafe unsafeDowncast(entry, to: WeakObserver.self)
        guard let observer = entry.observer(as: (any SimpleEventObserver).self) else { return .deallocated }
        observer.simpleEventDidTrigger(event)
      } else {
        unsafe unsafeDowncast(entry, to: BlockObserver.self).call(event, subject)
      }
      return .called
    }
  }

  /// Whether there are observers, and each of them is an iterator of notifications that does not wait.
  ///
  /// - Complexity: O(n).
  var hasOnlyIdleIterators: Bool {
    state.withLock { state in
      var isIdle = false
      state.forEach { entry in
        isIdle = (entry as? NotificationObserver)?.source.isAwaited == false
        return isIdle
      }
      return isIdle
    }
  }

  /// Ends the iterators of notifications, because no further notification can come.
  func endNotifications() {
    for case let entry as NotificationObserver in entries { entry.source.finish() }
  }
}
