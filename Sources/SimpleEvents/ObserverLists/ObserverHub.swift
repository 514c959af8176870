/// A list of weakly held observers that are called in order. Observers may be added and removed during a
/// call.
///
/// Keep the hub private, and forward to it:
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
/// Diagnostics name the lines that call ``add(_:fileID:line:)`` and ``remove(_:fileID:line:)``, here the two
/// forwarding methods. To name the lines of their callers, declare the parameters
/// `fileID: StaticString = #fileID` and `line: UInt = #line` in both methods, and pass them on.
///
/// All members may be called from any thread. Observers are called on the thread that calls ``forEach(_:)``,
/// under no lock. Debug builds flag programming errors, see ``MisuseHandler``.
///
/// Contracts: H1 to H9, see <doc:Contracts>.
public final class ObserverHub<T> {
  @usableFromInline let list: ObserverList

  /// Creates an empty hub.
  ///
  /// - Parameters:
  ///   - label: The name of the hub in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    list = ObserverList(subject, isShared: false)
  }

  private init(list: ObserverList) { self.list = list }

  /// The name of the hub in diagnostics.
  public var label: String? { list.subject.label }

  /// Whether the hub has no observer. A deallocated observer does not count.
  ///
  /// - Complexity: O(1), plus the number of deallocated observers after the last live one.
  public var isEmpty: Bool { list.isEmpty }

  /// Adds an observer at the end. The observer is called from the next cycle on.
  ///
  /// - Parameters:
  ///   - observer: A class instance that is not in the hub. It is held weakly and must be removed once, in
  ///     its `deinit` at the latest.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Complexity: Amortised O(1); O(n) for the first change during a cycle.
  public func add(_ observer: T, fileID: StaticString = #fileID, line: UInt = #line) {
    add(observer, at: CallSite(fileID: fileID, line: line))
  }

  /// Adds an observer. This overload is for use as a function value.
  ///
  /// For example `observers.forEach(hub.add)`.
  ///
  /// - Complexity: Amortised O(1); O(n) for the first change during a cycle.
  @_disfavoredOverload
  public func add(_ observer: T) { add(observer, at: nil) }

  /// Removes an observer. The observer is not called again, not even by a cycle in progress on this thread.
  ///
  /// - Parameters:
  ///   - observer: An observer that was added and has not been removed since.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  /// - Complexity: Amortised O(1); O(n) for the first change during a cycle.
  public func remove(_ observer: T, fileID: StaticString = #fileID, line: UInt = #line) {
    remove(observer, at: CallSite(fileID: fileID, line: line))
  }

  /// Removes an observer. This overload is for use as a function value.
  ///
  /// For example `observers.forEach(hub.remove)`.
  ///
  /// - Complexity: Amortised O(1); O(n) for the first change during a cycle.
  @_disfavoredOverload
  public func remove(_ observer: T) { remove(observer, at: nil) }

  /// Calls a body with every observer, in the order in which they were added.
  ///
  /// - Parameter body: The function to call with each observer, on this thread and under no lock. An error
  ///   that it throws ends the cycle.
  /// - Complexity: O(live observers).
  @inlinable public func forEach<Failure: Error>(_ body: (T) throws(Failure) -> Void) throws(Failure) {
    var failure: Failure?
    list.cycle { entry, _ in
      // SAFETY: every entry of a hub is a `WeakObserver`.
      let entry = unsafe unsafeDowncast(entry, to: WeakObserver.self)
      guard let observer = entry.observer(as: T.self) else { return .deallocated }
      do throws(Failure) {
        try body(observer)
        return .called
      } catch {
        failure = error
        return .stopped
      }
    }
    if let failure { throw failure }
  }

  private func add(_ observer: T, at site: CallSite?) {
    guard let object = object(of: observer, "added to", at: site) else { return }
    list.add(WeakObserver(observer, as: T.self, object: object, at: site), at: site)
  }

  private func remove(_ observer: T, at site: CallSite?) {
    guard let object = object(of: observer, "removed from", at: site) else { return }
    list.remove(object, at: site)
  }

  /// The observer as an object. A value, or an existential that boxes its object, such as `any Error`, is
  /// flagged and gives nil.
  private func object(of observer: T, _ verb: String, at site: CallSite?) -> AnyObject? {
    let type = type(of: observer as Any)
    if type is AnyClass {
      let object = observer as AnyObject
      let reference = UInt(bitPattern: ObjectIdentifier(object))
      let isBare = unsafe withUnsafeBytes(of: observer) { unsafe $0.load(as: UInt.self) } == reference
      if isBare && Swift.type(of: object) == type { return object }
    }
    list.flag(.notAnObject(type, verb, list.subject, at: site))
    return nil
  }

  /// The number of slots in the list, empty ones included, for tests of memory (H9).
  package var slotCount: Int {
    list.state.withLock { unsafe ($0.first == nil ? 0 : 1) + ($0.others?.slots.count ?? 0) }
  }

  /// The number of observers for which the index of the list has memory, for tests of memory (H9).
  package var indexCapacity: Int { list.state.withLock { $0.details?.byID.capacity ?? 0 } }
}

extension ObserverHub where T: Sendable {
  /// Creates an empty hub that several threads may use.
  ///
  /// An observer that was deallocated without having been removed is flagged when its address is reused.
  /// Otherwise, if the hub has found that the observer is deallocated (H6), the observer is flagged when the
  /// hub is deallocated. Until then, the `deinit` of the observer may be running on another thread, and may
  /// still remove the observer.
  public convenience init(
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(list: ObserverList(subject, isShared: true))
  }
}

// SAFETY: a lock guards the mutable state of the list. The handles of observers are set once and loaded
// atomically. The observers may cross threads, because their type is `Sendable`.
extension ObserverHub: @unchecked Sendable where T: Sendable {}

extension ObserverList {
  /// The owner's type and label, and its live observers in order: their types and, in debug builds, call
  /// sites.
  func description(of owner: Any.Type) -> String {
    let live = liveEntries
    let title = summary(of: owner, live.count)
    return live.reduce(live.isEmpty ? title : "\(title):") { lines, entry in
      "\(lines)\n- \(entry.typeName)\(entry.site.map { ", added at \($0)" } ?? "")"
    }
  }

  /// The owner's type and label, and the number of its live observers.
  func summary(of owner: Any.Type) -> String { summary(of: owner, liveEntries.count) }

  private func summary(of owner: Any.Type, _ count: Int) -> String {
    let label = state.withLock { $0.details?.watch?.subject.label }
    return "\(label.map { "\(owner) \"\($0)\"" } ?? "\(owner)"), \(counted(count, "observer"))"
  }

  private var liveEntries: [ObserverEntry] { entries.filter { !$0.isRemoved && $0.isAlive } }
}

extension ObserverHub: CustomDebugStringConvertible {
  /// The hub's type and label, and its live observers in order: their types and, in debug builds, call sites.
  ///
  /// The property may be read from any thread. Reading it calls no observer and flags nothing.
  ///
  /// - Complexity: O(n).
  public var debugDescription: String { list.description(of: Self.self) }
}
