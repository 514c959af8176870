public import Foundation
public import SimpleObservables

extension NotificationCenter {
  /// Returns an observable of this center's notifications, limited to a name or an object. It never ends.
  ///
  /// Each subscriber adds an observer to the center. The removal of the subscriber's token removes the
  /// observer.
  ///
  /// ```swift
  /// center.observe(.titleDidChange).subscribe { print($0) }.disposed(by: bag)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the notifications; nil for all names.
  ///   - object: The object that posts the notifications; nil for all objects. The observable keeps the
  ///     object alive, but its subscriptions do not. The center knows the object by its address: if the
  ///     object is deallocated before the token is removed, a later object at that address may be mistaken
  ///     for it.
  /// - Returns: The notifications, sent on the thread that posts them. If two threads post at the same time,
  ///   one of them or a global queue sends the notifications of both (V3).
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

// SAFETY: a notification is not `Sendable`. It stays on the thread that posts it, with one exception: if two
// threads post at the same time, one of them or a global queue delivers both notifications, as every
// observable does (V3).
private struct Receiver: @unchecked Sendable {
  let observer: Observer<Notification>
}
