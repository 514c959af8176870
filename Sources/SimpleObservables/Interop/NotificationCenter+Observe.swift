#if canImport(Foundation)
  public import Foundation

  extension NotificationCenter {
    /// The notifications of a name, of an object, or both.
    ///
    /// Each subscriber adds an observer to the center, which goes with its token.
    ///
    /// ```swift
    /// center.observe(.titleDidChange).subscribe { print($0) }.disposed(by: bag)
    /// ```
    ///
    /// - Parameters:
    ///   - name: Which notifications; nil for all names.
    ///   - object: Whose notifications; nil for everybody's. The observable keeps it alive.
    /// - Returns: Notifications, told on the thread that posts them. It never ends.
    public func observe(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
      .create { observer in
        let receiver = Receiver(observer: observer)
        let registration = self.addObserver(forName: name, object: object, queue: nil) { notification in
          receiver.observer.next(notification)
        }
        return { self.removeObserver(registration) }
      }
    }
  }

  // SAFETY: a notification is not `Sendable`. It stays on the thread that posts it, except when two threads
  // post at once: then one of them delivers for both, as with every observable.
  private struct Receiver: @unchecked Sendable {
    let observer: Observer<Notification>
  }
#endif
