/// An event that notifies its observers immediately, on the thread that triggers it.
///
/// ```swift
/// final class Model {
///   private let _didChange = SimpleEvent()
///   var didChange: any SimpleEventObservable { _didChange }
///   var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
/// }
/// ```
///
/// When many properties change together, or observers change the model again, use a ``LazySimpleEvent``.
///
/// Observers may be added and removed from any thread. The event itself belongs to one thread and is not
/// `Sendable`.
///
/// Contracts: E1 to E3, E5, E6, E9, H1 to H9, see <doc:Contracts>.
public final class SimpleEvent: ObserverListOwner, CustomStringConvertible {
  /// The effect of a trigger from inside a notification of the same event.
  public enum Reentrancy: Sendable {
    /// The trigger is flagged as misuse. A release build runs the inner cycle first.
    case flagged
    /// The trigger returns immediately. For any number of such triggers, exactly one more cycle follows the
    /// running one.
    ///
    /// Every observer sees the same sequence, and the stack does not grow.
    case coalesced
  }

  private let observers: LazyObserverList
  /// The number of coalescing blocks that are open.
  private var depth: Int32 = 0
  private let reentrancy: Reentrancy
  private var isTriggered: Bool = false
  private var isNotifying: Bool = false

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - reentrancy: The effect of a trigger from inside a notification.
  ///   - label: The name of the event in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    reentrancy: Reentrancy = .flagged, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.reentrancy = reentrancy
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    observers = LazyObserverList(subject)
  }

  /// The name of the event in diagnostics.
  public var label: String? { observers.subject.label }

  var list: ObserverList { observers.list }

  /// Notifies the observers now, or at the end of the open coalescing block.
  ///
  /// - Parameter condition: Whether to trigger, for example the result of a comparison in a property
  ///   observer. False does not revoke an earlier trigger.
  /// - Complexity: O(live observers).
  public func trigger(if condition: Bool = true) {
    guard condition else { return }
    isTriggered = true
    notifyIfNeeded()
  }

  /// Runs a block, and notifies once at the end of the block if the event was triggered inside it.
  ///
  /// Blocks may be nested. Only the end of the outermost block notifies, even if a block throws (E2).
  ///
  /// - Parameter block: The block to run. It is called once, before this method returns.
  /// - Returns: The result of the block.
  @discardableResult public func coalescingNotifications<Result, Failure: Error>(
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
    guard reentrancy == .coalesced else { return notify() }
    guard !isNotifying else { return }
    isNotifying = true
    defer { isNotifying = false }
    while isTriggered { notify() }
  }

  /// The type and the label, and the number of live observers.
  ///
  /// - Complexity: O(n).
  public var description: String {
    let state = depth > 0 && isTriggered ? ", pending" : ""
    return list.summary(of: Self.self) + state
  }

  private func notify() {
    isTriggered = false
    observers.notify(self)
  }
}
