/// Receives the deliveries, the discarded signals and the end of each coalescing object of a program.
///
/// A program installs a monitor with ``CoalescingSystem/bootstrap(_:misuse:fileID:line:)``. A test uses
/// `withCoalescingMonitor` of the testing product. The following monitor writes a line for each slow
/// delivery:
///
/// ```swift
/// struct SlowDeliveries: CoalescingMonitor {
///   func delivered(_ delivery: CoalescingDelivery) {
///     guard delivery.duration > .milliseconds(100) else { return }
///     print("\(delivery.source) took \(delivery.duration) for \(delivery.signalCount) signals")
///   }
/// }
/// ```
///
/// The counts are exact: the signals of all deliveries and the unsent signals of all calls of
/// ``discarded(_:unsent:)`` and ``ended(_:unsent:)`` add up to the signals that the source has accepted (W2).
/// For each source, ``created(_:)`` is the first call and ``ended(_:unsent:)`` the last one.
///
/// A monitor is called under no lock, on the thread of the reported creation, delivery or end. If an object
/// ends during its delivery or during another report, the end is reported after that delivery or report, on
/// the same thread. A monitor may call anything, use the reported object, and release the last reference to
/// it. A call that blocks holds up the thread of the report, but no signal waits for the call (W3). Objects
/// that are created during a call are not watched, so a monitor may use its own events, collectors and loops.
///
/// All requirements have a default implementation that does nothing.
///
/// Contracts: W1 to W4, see <doc:Contracts>.
public protocol CoalescingMonitor: Sendable {
  /// Receives an object that coalesces, when it is created.
  func created(_ source: CoalescingSource)

  /// Receives a delivery when its observers have returned, or a run of a loop when its body and the function
  /// for its error have returned.
  func delivered(_ delivery: CoalescingDelivery)

  /// Receives the number of pending signals that will not be delivered.
  ///
  /// The signals were dropped by `cancel()` or by a loop that ignores requests while it runs, or the
  /// scheduler can no longer run work (S7).
  func discarded(_ source: CoalescingSource, unsent: Int)

  /// Receives a source that will not deliver again: it was deallocated, removed, stopped or finished.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - unsent: The number of signals that were pending at the end.
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

  /// Creates a monitor that forwards to several monitors.
  public init(_ monitors: any CoalescingMonitor...) { self.init(monitors) }

  /// Creates a monitor that forwards to an array of monitors.
  public init(_ monitors: [any CoalescingMonitor]) { self.monitors = monitors }

  /// Forwards the call to each monitor.
  public func created(_ source: CoalescingSource) {
    for monitor in monitors { monitor.created(source) }
  }

  /// Forwards the call to each monitor.
  public func delivered(_ delivery: CoalescingDelivery) {
    for monitor in monitors { monitor.delivered(delivery) }
  }

  /// Forwards the call to each monitor.
  public func discarded(_ source: CoalescingSource, unsent: Int) {
    for monitor in monitors { monitor.discarded(source, unsent: unsent) }
  }

  /// Forwards the call to each monitor.
  public func ended(_ source: CoalescingSource, unsent: Int) {
    for monitor in monitors { monitor.ended(source, unsent: unsent) }
  }
}
