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
  ///     object alive, but its subscriptions do not.
  /// - Returns: The notifications, sent on the thread that posts them. If two threads post at the same time,
  ///   one of them or a global queue sends the notifications of both (V3).
  public func observe(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
    .create { observer in
      let receiver = Receiver(observer: observer, isLimited: object != nil, object: object)
      let registration = self.addObserver(forName: name, object: object, queue: nil) {
        receiver.receive($0)
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
  /// Whether only the notifications of the object are received.
  let isLimited: Bool
  private(set) weak var object: AnyObject?

  /// Sends a notification. The center knows an object by its address, which a later object may have as well.
  func receive(_ notification: Notification) {
    if !isLimited || notification.object as AnyObject? === object { observer.next(notification) }
  }
}
