import SimpleEvents
import SimpleObservables

/// A source that sends nothing. Tests can wait for its connection and its disconnection.
final class SilentSource: Sendable {
  private let connected = AsyncStream<Void>.makeStream()
  private let disconnected = AsyncStream<Void>.makeStream()
  /// The observer. Its deallocation would disconnect the source.
  private let observer: Guarded<Observer<Int>?> = Guarded(nil)

  var observable: Observable<Int> {
    Observable.create { [self] observer in
      self.observer.withLock { $0 = observer }
      connected.continuation.yield()
      return { [self] in disconnected.continuation.yield() }
    }
  }

  /// Returns when the source was connected.
  func connection() async {
    _ = await connected.stream.first { _ in true }
  }

  /// Returns when the source was disconnected.
  func disconnection() async {
    _ = await disconnected.stream.first { _ in true }
  }
}
