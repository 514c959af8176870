internal import SimpleEvents

extension Observable {
  /// Returns the same sequence, with one subscription to the source for all subscribers.
  ///
  /// The first subscriber connects to the source, and the removal of the last one disconnects it.
  ///
  /// No value is replayed: a subscriber receives the values that are sent after it was added, even if the
  /// source is a ``Variable``. Only the first subscriber receives the values that the source sends when it is
  /// connected. After the end, a new subscriber receives the end.
  ///
  /// If the last subscriber is removed while another subscriber is added, the source may have two
  /// subscriptions for a moment. Each value reaches a subscriber through one of the two.
  ///
  /// If a source is connected during a delivery of the sequence, the values that it sends in its `create`
  /// closure are queued. In this case, the closure does not return if it sends until its observer is no
  /// longer active.
  public func shared() -> Observable<Value> {
    let broadcast = Broadcast<Value>(replaysNewest: false)
    let connection = SharedConnection()
    return Operator { [self] subscriber in
      // The subscriber is counted before it can be removed, so that no removal is counted for another
      // subscriber.
      let upstream = connection.retainConnection()
      broadcast.add(subscriber)
      subscriber.subscription.add(token: Disposable(plain: { connection.releaseConnection() }))
      if let upstream {
        connect(
          Observer(
            upstream, onNext: { broadcast.send($0, from: upstream) },
            onEnd: { if connection.end(upstream) { broadcast.end($0) } }))
      }
    }
  }
}

/// The subscription that many subscribers share, and the number of the subscribers.
private final class SharedConnection: Sendable {
  private struct State {
    var subscriberCount: Int = 0
    var upstream: Subscription?
    /// Whether the source has ended. A later subscriber does not connect to it, but receives the end.
    var hasEnded: Bool = false
  }

  /// Guards the subscription. It is disconnected and released after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  /// Counts one more subscriber.
  ///
  /// - Returns: The subscription to connect, for the first subscriber; otherwise nil.
  func retainConnection() -> Subscription? {
    state.withLock { state in
      state.subscriberCount += 1
      guard state.subscriberCount == 1, !state.hasEnded else { return nil }
      state.upstream = Subscription()
      return state.upstream
    }
  }

  /// Records the end of a subscription to the source; returns false if the last subscriber was removed before
  /// the end.
  func end(_ upstream: Subscription) -> Bool {
    state.withLock { state in
      guard state.upstream === upstream else { return false }
      state.hasEnded = true
      return true
    }
  }

  /// Counts one subscriber less, and disconnects after the last subscriber.
  func releaseConnection() {
    let unused = state.withLock { state -> Subscription? in
      state.subscriberCount -= 1
      guard state.subscriberCount == 0 else { return nil }
      // The subscription is closed under the lock, so that its values are already dropped when the next
      // subscriber is counted.
      _ = state.upstream?.close()
      return state.upstream.take()
    }
    unused?.disconnect()
  }
}
