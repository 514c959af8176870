/// A receiver of the deliveries and losses of all coalescing objects of a program.
///
/// A program installs one with ``CoalescingSystem/bootstrap(_:misuse:fileID:line:)``, as it does with a
/// logging system; a test uses `withCoalescingMonitor` of the testing product. This one writes a line for
/// each slow delivery:
///
/// ```swift
/// struct SlowDeliveries: CoalescingMonitor {
///   func delivered(_ delivery: CoalescingDelivery) {
///     guard delivery.duration > .milliseconds(100) else { return }
///     print("\(delivery.source) took \(delivery.duration) for \(delivery.signals) signals")
///   }
/// }
/// ```
///
/// The counts are exact: the signals of all deliveries and those of all ``discarded(_:unsent:)`` and
/// ``ended(_:unsent:)`` add up to the signals that the source has accepted (W2). For each source,
/// ``created(_:)`` is the first call and ``ended(_:unsent:)`` the last one.
///
/// A monitor is called on the thread of the creation, delivery or end that it receives, under no lock. It may
/// call anything, use the reported object, and release the last reference to it. A call that blocks delays
/// only the reported delivery, and no signal (W3). Objects that are created during a call are not watched, so
/// a monitor may use events, collectors and loops of its own.
///
/// All requirements have a default implementation that does nothing.
///
/// Contracts: W1 to W4, see <doc:Contracts>.
public protocol CoalescingMonitor: Sendable {
  /// Receives an object that coalesces, when it is created.
  func created(_ source: CoalescingSource)

  /// Receives a delivery when its observers have returned, or a run of a loop when its body has returned.
  func delivered(_ delivery: CoalescingDelivery)

  /// Receives the number of pending signals that will not be delivered.
  ///
  /// They were dropped by `cancel()` or by a loop that ignores requests while it runs, or the scheduler can
  /// no longer run work (S7).
  func discarded(_ source: CoalescingSource, unsent: Int)

  /// Receives a source that will not deliver again: it was deallocated, removed, stopped or finished.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - unsent: The number of signals that were pending.
  func ended(_ source: CoalescingSource, unsent: Int)
}

extension CoalescingMonitor {
  /// Does nothing.
  public func created(_ source: CoalescingSource) {}

  /// Does nothing.
  public func delivered(_ delivery: CoalescingDelivery) {}

  /// Does nothing.
  public func discarded(_ source: CoalescingSource, unsent: Int) {}

  /// Does nothing.
  public func ended(_ source: CoalescingSource, unsent: Int) {}
}

/// A monitor that forwards all calls to several monitors, in their order.
public struct MultiplexCoalescingMonitor: CoalescingMonitor {
  private let monitors: [any CoalescingMonitor]

  /// Creates a monitor from several.
  public init(_ monitors: any CoalescingMonitor...) { self.init(monitors) }

  /// Creates a monitor from an array of monitors.
  public init(_ monitors: [any CoalescingMonitor]) { self.monitors = monitors }

  /// Passes the call on.
  public func created(_ source: CoalescingSource) {
    for monitor in monitors { monitor.created(source) }
  }

  /// Passes the call on.
  public func delivered(_ delivery: CoalescingDelivery) {
    for monitor in monitors { monitor.delivered(delivery) }
  }

  /// Passes the call on.
  public func discarded(_ source: CoalescingSource, unsent: Int) {
    for monitor in monitors { monitor.discarded(source, unsent: unsent) }
  }

  /// Passes the call on.
  public func ended(_ source: CoalescingSource, unsent: Int) {
    for monitor in monitors { monitor.ended(source, unsent: unsent) }
  }
}
