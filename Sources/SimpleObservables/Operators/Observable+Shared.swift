internal import SimpleEvents

extension Observable {
  /// The same sequence, subscribed to once for all who listen.
  ///
  /// The first subscriber connects to the source, later ones join in, and the last one to go disconnects.
  /// Nothing is replayed. The end stays: who comes after it is told it.
  public func shared() -> Observable<Value> {
    let broadcast = Broadcast<Value>(capacity: 0, label: "shared()")
    let connection = SharedConnection()
    return Observable { [self] guest in
      broadcast.add(guest)
      guard guest.isActive else { return }
      guest.subscription.add(Disposable { connection.leave() })
      if let subscription = connection.join() {
        connect(
          Observer(
            subscription, onNext: { broadcast.send($0) }, onEnd: { broadcast.end($0) }))
      }
    }
  }
}

/// The one subscription of many subscribers, and how many of them there are.
private final class SharedConnection: Sendable {
  private struct State {
    var guests: Int = 0
    var subscription: Subscription?
  }

  /// Guards the subscription. It is removed, and let go, after the lock.
  private let state: Guarded<State> = Guarded(State())

  /// Counts one more subscriber.
  ///
  /// - Returns: For the first one, the subscription to connect.
  func join() -> Subscription? {
    state.withLock { state in
      state.guests += 1
      guard state.guests == 1 else { return nil }
      state.subscription = Subscription()
      return state.subscription
    }
  }

  /// Counts one less, and disconnects after the last.
  func leave() {
    let unused = state.withLock { state -> Subscription? in
      state.guests -= 1
      return state.guests == 0 ? state.subscription.take() : nil
    }
    unused?.remove()
  }
}
