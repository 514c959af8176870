internal import Synchronization

/// Map, filter and distinct for one fixed subscriber: three closures and the last value.
final class HandWrittenChain {
  private let transform: (Int) -> Int
  private let isIncluded: (Int) -> Bool
  private let onNext: (Int) -> Void
  private var last: Int?

  init(
    map transform: @escaping (Int) -> Int, filter isIncluded: @escaping (Int) -> Bool,
    onNext: @escaping (Int) -> Void
  ) {
    self.transform = transform
    self.isIncluded = isIncluded
    self.onNext = onNext
  }

  func update(_ value: Int) {
    let value = transform(value)
    guard isIncluded(value), value != last else { return }
    last = value
    onNext(value)
  }
}

/// The same chain for several threads. One lock is held during the whole update, including the callback.
final class LockedHandWrittenChain {
  private let chain: HandWrittenChain
  /// Guards the chain.
  private let lock: Mutex<Void> = Mutex(())

  init(_ chain: HandWrittenChain) {
    self.chain = chain
  }

  func update(_ value: Int) {
    lock.withLock { _ in chain.update(value) }
  }
}
