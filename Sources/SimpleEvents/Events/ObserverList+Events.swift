// Observation and notification, as all events here do it.
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
      // SAFETY: an event's list has entries of these two classes only, and their kind tells them apart.
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

  /// Whether there are observers, and all of them are iterators of notifications that do not wait.
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

  /// Ends what waits for notifications, because no notification can come any more.
  func endNotifications() {
    for case let entry as NotificationObserver in entries { entry.source.finish() }
  }
}
