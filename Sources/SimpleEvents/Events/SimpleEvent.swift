/// An event that notifies its observers at once, on the thread that triggers it.
///
/// ```swift
/// final class Model {
///   private let _didChange = SimpleEvent()
///   var didChange: any SimpleEventObservable { _didChange }
///   var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
/// }
/// ```
///
/// When many properties change together, or observers change the model again, use ``LazySimpleEvent``.
///
/// Observers may come and go from any thread, but the event itself belongs to one: it is not `Sendable`.
///
/// - **E1** Notifies synchronously. `trigger(if: false)` does nothing, and takes back no earlier trigger.
/// - **E2** ``coalescingNotifications(block:)`` nests, and notifies once at the outermost end.
/// - **E3** A trigger from inside a notification is flagged, unless the event is created with
///   ``Reentrancy/coalesced``.
public class SimpleEvent: SimpleEventObservable {
  /// What a trigger from inside a notification of the same event does.
  public enum Reentrancy: Sendable {
    /// It is flagged as misuse; in release builds observers are called depth-first.
    case flagged
    /// It returns at once, and the running cycle is followed by exactly one more for any number of them:
    /// every observer sees the same sequence, and the stack does not grow.
    case coalesced
  }

  let list: ObserverList
  private let reentrancy: Reentrancy
  /// How many coalescing blocks are open.
  private var depth: Int = 0
  private var isTriggered: Bool = false
  private var isNotifying: Bool = false

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - reentrancy: What a trigger from inside a notification does.
  ///   - label: What diagnostics call the event; by default its type.
  ///   - misuse: What to do when an observer is mistreated.
  public init(
    reentrancy: Reentrancy = .flagged, label: String? = nil, misuse: MisuseHandler = .debugTrap
  ) {
    self.reentrancy = reentrancy
    list = ObserverList(label: label, misuse: misuse, owner: Self.self, isShared: true)
  }

  deinit {
    list.close()
  }

  /// Notifies the observers now, or at the end of the coalescing block that is open.
  ///
  /// - Parameter condition: Whether to do it at all; handy with `oldValue`.
  /// - Complexity: O(live observers).
  public func trigger(if condition: Bool = true) {
    guard condition else { return }
    isTriggered = true
    notifyIfNeeded()
  }

  /// Runs a block, and notifies once at its end if the event was triggered inside.
  ///
  /// Blocks nest: only the end of the outermost one notifies, also when a block throws.
  ///
  /// - Parameter block: Called once, now.
  /// - Returns: What the block returns.
  @discardableResult
  public func coalescingNotifications<Result, Failure: Error>(
    block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    depth += 1
    defer {
      depth -= 1
      notifyIfNeeded()
    }
    return try block()
  }

  private func notifyIfNeeded() {
    guard depth == 0 && isTriggered else { return }
    guard reentrancy == .coalesced else {
      isTriggered = false
      return list.notify(self)
    }
    guard !isNotifying else { return }
    isNotifying = true
    defer { isNotifying = false }
    while isTriggered {
      isTriggered = false
      list.notify(self)
    }
  }

  /// Registers a block for as long as a token lives.
  @_disfavoredOverload
  public func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock) {
    token = list.observe(at: nil, block)
  }

  /// Registers an observer, delegate style.
  @_disfavoredOverload
  public func addObserver(_ observer: any SimpleEventObserver) {
    list.add(observer, at: nil)
  }

  /// Removes an observer that was registered delegate style.
  ///
  /// - Complexity: Amortised O(1).
  public func removeObserver(_ observer: any SimpleEventObserver) {
    list.remove(observer)
  }

  /// Registers a block, and remembers where that was done and for which actor.
  public func addObserver(
    at site: RegistrationSite, _ block: @escaping ObserverBlock
  ) -> (any SimpleEventToken)? {
    list.observe(at: site, block)
  }

  /// Registers an observer, delegate style, and remembers where that was done.
  public func addObserver(_ observer: any SimpleEventObserver, at site: RegistrationSite) {
    list.add(observer, at: site)
  }
}
