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
/// - **E4** All triggers before a delivery give one notification; a trigger during a notification gives
///   exactly one more, never a nested one. What the triggering thread wrote before `trigger()` is visible
///   to the observers of the delivery that it causes.
/// - **E6** When the event has been deallocated, nothing more is delivered.
public class LazySimpleEvent: SimpleEventObservable, @unchecked Sendable {
  // NB: `@unchecked`, since the hub's observers are not `Sendable`: they are plain blocks, called on the
  // scheduler only, never twice at once (C1). All else here is immutable, or set once atomically.

  let hub: ObserverHub<any SimpleEventObserver>
  private let scheduler: any EventScheduler
  private let policy: CoalescingPolicy
  private let callbackReference: AtomicLazyReference<CoalescingCallback> = AtomicLazyReference()

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
    self.scheduler = scheduler
    self.policy = policy
    hub = ObserverHub(label: label, misuse: misuse, owner: Self.self, isShared: true)
    policy.flagIfWithoutEdges(of: hub.name, misuse: misuse, at: nil)
  }

  deinit {
    hub.removeAll()
  }

  /// Asks for a notification.
  ///
  /// Callable from any thread; never calls an observer itself.
  ///
  /// - Parameter condition: Whether to do it at all; handy with `oldValue`. False takes nothing back.
  /// - Complexity: O(1).
  public func trigger(if condition: Bool = true) {
    guard condition else { return }
    callback.schedule()
  }

  /// What decides when to notify.
  ///
  /// Made on first use, since it needs the event: the first of two threads wins. It holds the event
  /// weakly, so that a queued turn delivers nothing once the event is gone (E6).
  var callback: CoalescingCallback {
    if let callback = callbackReference.load() {
      return callback
    }
    return callbackReference.storeIfNil(
      CoalescingCallback(scheduler, policy, label: hub.label, misuse: hub.misuse, site: nil) { [weak self] in
        if let self {
          hub.notify(self)
        }
      })
  }

  /// Registers a block for as long as a token lives.
  @_disfavoredOverload
  public func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock) {
    token = hub.observe(at: RegistrationSite(isolation: nil), block)
  }

  /// Registers an observer, delegate style.
  @_disfavoredOverload
  public func addObserver(_ observer: any SimpleEventObserver) {
    hub.add(observer)
  }

  /// Removes an observer that was registered delegate style.
  ///
  /// - Complexity: Amortised O(1).
  public func removeObserver(_ observer: any SimpleEventObserver) {
    hub.remove(observer)
  }

  /// Registers a block, and remembers where that was done and for which actor.
  public func addObserver(
    at site: RegistrationSite, _ block: @escaping ObserverBlock
  ) -> (any SimpleEventToken)? {
    hub.observe(at: site, block)
  }

  /// Registers an observer, delegate style, and remembers where that was done.
  public func addObserver(_ observer: any SimpleEventObserver, at site: RegistrationSite) {
    hub.add(observer, at: site)
  }
}
