/// An event that keeps its observers in a list. All events of this module share the methods of this protocol.
protocol ObserverListOwner: SimpleEventObservable, CustomDebugStringConvertible {
  var list: ObserverList { get }

  /// Called after each addition of an observer that is not an iterator of notifications.
  func didAddObserver()
}

extension ObserverListOwner {
  func didAddObserver() {}

  private func observe(_ entry: BlockObserver) -> any SimpleEventToken {
    defer { didAddObserver() }
    return list.observe(entry)
  }

  private func add(_ observer: any SimpleEventObserver, site: CallSite?) {
    list.add(observer, at: site)
    didAddObserver()
  }
}

// These members are public because they implement the requirements of a public protocol.
extension ObserverListOwner {
  /// Registers a block for as long as a token lives.
  @_disfavoredOverload
  public func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock) {
    token = observe(BlockObserver(block, at: nil))
  }

  /// Registers an observer in delegate style.
  @_disfavoredOverload
  public func addObserver(_ observer: any SimpleEventObserver) { add(observer, site: nil) }

  /// Removes an observer that was registered in delegate style.
  @_disfavoredOverload
  public func removeObserver(_ observer: any SimpleEventObserver) { list.remove(observer, at: nil) }

  /// Registers a block, and records the call site and the isolation of the block.
  public func addObserver(
    at site: CallSite, _ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void
  ) -> (any SimpleEventToken)? {
    observe(BlockObserver(block, at: site))
  }

  /// Registers an observer in delegate style, and records the call site.
  public func addObserver(_ observer: any SimpleEventObserver, at site: CallSite) {
    add(observer, site: site)
  }

  /// Removes an observer that was registered in delegate style. A diagnostic of the removal names the call
  /// site.
  public func removeObserver(_ observer: any SimpleEventObserver, at site: CallSite) {
    list.remove(observer, at: site)
  }

  /// The event's type and label, and its live observers in order: their types and, in debug builds, call
  /// sites.
  ///
  /// - Complexity: O(n).
  public var debugDescription: String { list.description(of: Self.self) }
}
