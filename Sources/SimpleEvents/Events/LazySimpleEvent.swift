public import Dispatch
internal import Synchronization

/// An event that notifies its observers later, once for any number of triggers.
///
/// Trigger it from any thread, also from inside a notification; observers are called on one queue, on
/// its next turn or as the policy has it:
///
/// ```swift
/// final class Model: Sendable {
///   private let _didChange = LazySimpleEvent(queue: .main)
///   var didChange: any SimpleEventObservable { _didChange }
///   func finish() { _didChange.trigger() }
/// }
/// ```
///
/// It is a ``CoalescingCallback`` that calls observers, so it can be flushed and cancelled like one.
///
/// - **E4** All triggers before a delivery give one notification; a trigger during a notification gives
///   exactly one more, never a nested one. What the triggering thread wrote before `trigger()` is visible
///   to the observers of the delivery that it causes.
/// - **E6** When the event has been deallocated, nothing more is delivered.
public class LazySimpleEvent: CoalescingCallback, SimpleEventObservable, @unchecked Sendable {
  // NB: `@unchecked`, since observers are plain blocks and objects, not `Sendable` ones. They are called on
  // the scheduler only, never twice at once (C1).

  /// The observers, retained; nil until somebody asks for them: an event that nobody observes stays small.
  ///
  /// Set once by a compare-exchange, which releases what the list's maker has written into it; every
  /// reader acquires. NB: not `AtomicLazyReference`, whose load is a call into another module and retains.
  private let listReference: Atomic<Unmanaged<ObserverList>?> = Atomic(nil)

  /// Creates an event that notifies on a dispatch queue.
  ///
  /// - Parameters:
  ///   - queue: Where observers are called.
  ///   - policy: When they are called.
  ///   - label: What diagnostics call the event; by default its type.
  ///   - misuse: What to do when an observer is mistreated.
  public convenience init(
    queue: DispatchQueue = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap
  ) {
    self.init(scheduler: queue, policy: policy, label: label, misuse: misuse)
  }

  /// Creates an event that notifies on any scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: Where observers are called, and what tells the time.
  ///   - policy: When they are called.
  ///   - label: What diagnostics call the event; by default its type.
  ///   - misuse: What to do when an observer is mistreated.
  public init(
    scheduler: any EventScheduler, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap
  ) {
    super.init(scheduler, policy, label: label, misuse: misuse, site: nil, block: nil)
  }

  deinit {
    // Acquiring, to see the list that another thread may have made.
    let list = listReference.load(ordering: .acquiring)
    list?._withUnsafeGuaranteedRef { $0.close() }
    list?.release()
  }

  /// Asks for a notification.
  ///
  /// Callable from any thread; never calls an observer itself.
  ///
  /// - Parameter condition: Whether to do it at all; handy with `oldValue`. False takes nothing back.
  /// - Complexity: O(1).
  public func trigger(if condition: Bool = true) {
    guard condition else { return }
    schedule()
  }

  override func deliver() {
    // Acquiring, as above.
    listReference.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.notify(self) }
  }

  /// The observers. Whoever needs them first makes the list; the first of two threads wins.
  var list: ObserverList {
    if let list = listReference.load(ordering: .acquiring) {
      return list.takeUnretainedValue()
    }
    let list = Unmanaged.passRetained(
      ObserverList(label: label, misuse: misuse, owner: Self.self, isShared: true))
    let (isFirst, other) = listReference.compareExchange(
      expected: nil, desired: list, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
    if isFirst {
      return list.takeUnretainedValue()
    }
    list.release()
    return other!.takeUnretainedValue()
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
