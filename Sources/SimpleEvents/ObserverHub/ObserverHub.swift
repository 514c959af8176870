/// A list of observers: held weakly, called in order, safe to change while it is being called.
///
/// The usual array of weak references gets one of these wrong: the order, a removal from inside a
/// callback, a removal from `deinit`, the cost of the thousandth subscription. A hub gets them right,
/// and tells you in debug builds when an observer is mistreated. Keep it private, and forward to it:
///
/// ```swift
/// protocol DownloadObserver: AnyObject {
///   func downloadDidFinish(_ download: Download)
/// }
///
/// final class Download {
///   private let hub = ObserverHub<any DownloadObserver>()
///   func addObserver(_ observer: any DownloadObserver) { hub.add(observer) }
///   func removeObserver(_ observer: any DownloadObserver) { hub.remove(observer) }
///   private func finish() { hub.forEach { $0.downloadDidFinish(self) } }
/// }
/// ```
///
/// - **H1** Observers are called in the order they were added.
/// - **H2** A hub never keeps an observer alive.
/// - **H3** An observer added during a cycle is not called in it; one removed before its turn is not
///   called in it, also when it is added again. From inside a callback you may remove any observer or
///   all of them, and drop the last reference to the hub.
/// - **H4** An error that the body throws ends the cycle and leaves the hub as it was.
/// - **H5** All members may be called from any thread. Observers are called on the thread that called
///   ``forEach(_:)``, never under a lock.
/// - **H6** Misuse is flagged, see ``MisuseHandler``; in release builds nothing traps: a second add is
///   ignored, and so are a value and the removal of what is not installed; a dead observer is dropped;
///   a nested cycle runs depth-first.
/// - **H7** An observer may remove itself from its own `deinit`.
/// - **H9** Memory is proportional to the number of live observers. What an observer refers to goes with it at
///   once; its own memory, if it was not removed, when the hub next comes across it.
public final class ObserverHub<T> {
  @usableFromInline let list: ObserverList

  /// Creates an empty hub.
  ///
  /// - Parameters:
  ///   - label: What diagnostics call the hub; by default the type of its observers.
  ///   - misuse: What to do when an observer is mistreated.
  public init(label: String? = nil, misuse: MisuseHandler = .debugTrap) {
    list = ObserverList(label: label, misuse: misuse, owner: Self.self, isShared: false)
  }

  private init(list: ObserverList) {
    self.list = list
  }

  /// Whether nobody is listening. A dead observer does not count.
  ///
  /// - Complexity: O(1), plus the number of dead observers after the last live one.
  public var isEmpty: Bool { list.isEmpty }

  /// Adds an observer, to be called after those that are there already, from the next cycle on.
  ///
  /// - Parameters:
  ///   - observer: A class instance that is not in the hub. It is held weakly, and must be removed
  ///     once: before its last reference goes, or in its `deinit`.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  /// - Complexity: Amortised O(1).
  public func add(_ observer: T, fileID: StaticString = #fileID, line: UInt = #line) {
    add(observer, at: RegistrationSite(isolation: nil, fileID: fileID, line: line))
  }

  /// Adds an observer, for use as a function value: `observers.forEach(hub.add)`.
  ///
  /// - Complexity: Amortised O(1).
  @_disfavoredOverload
  public func add(_ observer: T) {
    add(observer, at: nil)
  }

  /// Removes an observer; it is not called again, also not in a cycle in progress on this thread.
  ///
  /// - Parameter observer: An observer that was added and not removed since.
  /// - Complexity: Amortised O(1), O(n) for the first change inside a cycle.
  public func remove(_ observer: T) {
    guard let object = object(of: observer) else {
      return list.flagNotAnObject(observer, "removed from", at: nil)
    }
    list.remove(object)
  }

  /// Calls a body with every observer, in the order they were added.
  ///
  /// - Parameter body: Called on this thread, under no lock. An error ends the cycle.
  /// - Complexity: O(live observers).
  @inlinable
  public func forEach<Failure: Error>(_ body: (T) throws(Failure) -> Void) throws(Failure) {
    var failure: Failure?
    list.cycle { entry in
      // A hub has no other entries.
      let entry = unsafeDowncast(entry, to: WeakObserver.self)
      guard let observer = entry.observer(as: T.self) else { return .foundDead }
      do throws(Failure) {
        try body(observer)
        return .called
      } catch {
        failure = error
        return .stopped
      }
    }
    if let failure {
      throw failure
    }
  }

  private func add(_ observer: T, at site: RegistrationSite?) {
    guard let object = object(of: observer) else {
      return list.flagNotAnObject(observer, "added to", at: site)
    }
    list.add(WeakObserver(observer, as: T.self, object: object, at: site), at: site)
  }

  /// The observer as an object, nil if it is a value, or keeps its object in a box, as an `any Error` does.
  private func object(of observer: T) -> AnyObject? {
    guard let type = type(of: observer as Any) as? AnyClass else { return nil }
    let object = observer as AnyObject
    let reference = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    let isBare = withUnsafeBytes(of: observer) { $0.load(as: UInt.self) } == reference
    return isBare && Swift.type(of: object) == type ? object : nil
  }

  /// How many places the list has, vacated ones included; for tests of what it costs (H9).
  package var slotCount: Int {
    list.state.withLock { $0.slots.count }
  }
}

extension ObserverHub where T: Sendable {
  /// Creates an empty hub that several threads may use.
  ///
  /// An observer that died without having been removed is flagged when that is certain: when another one is
  /// given its address, or when the hub goes. Before that, its `deinit` may be under way on another thread.
  ///
  /// - Parameters:
  ///   - label: What diagnostics call the hub; by default the type of its observers.
  ///   - misuse: What to do when an observer is mistreated.
  public convenience init(label: String? = nil, misuse: MisuseHandler = .debugTrap) {
    self.init(list: ObserverList(label: label, misuse: misuse, owner: Self.self, isShared: true))
  }
}

// NB: not checked by the compiler, since a list knows nothing of its observers' type. Its mutable state is
// behind its lock, save for the handles of observers, which are set once and asked atomically. The
// observers themselves cross threads only as their type allows.
extension ObserverHub: @unchecked Sendable where T: Sendable {}
