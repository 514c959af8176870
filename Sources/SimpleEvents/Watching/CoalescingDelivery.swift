/// A report of one delivery of a coalescing object: a notification, a batch, or a run of a loop.
public struct CoalescingDelivery: Sendable {
  /// The reason why a delivery starts.
  public enum Cause: Sendable, Hashable {
    /// A turn of the scheduler.
    ///
    /// This is the cause if no other cause applies: for example if the policy is
    /// ``CoalescingPolicy/nextTurn``, if the policy delivers the first signal of a burst, or if a batch is
    /// full (C12). It is also the cause of all deliveries of an iterator of notifications, because such an
    /// iterator has no policy.
    case turn
    /// The end of a window.
    case deadline
    /// A request to deliver immediately.
    ///
    /// The request is a call of `flush()`, `close()` or `finish()`, or the end of the values of an
    /// observable.
    case flush
    /// The end of the wait after a failed run (L8).
    case retry
    /// A task that has become the host of a loop without keys while a run of the loop was due (L7).
    case host
  }

  /// The object that delivers.
  public let source: CoalescingSource
  /// The number of signals that the delivery answers.
  ///
  /// The number is zero for a retry without a further request, and for the end of an observable if no value
  /// is pending. It is also zero for a run at the end of a window if an earlier run has answered the requests
  /// of that window.
  public let signalCount: Int
  /// The instant of the first signal, on the clock of the scheduler; nil if the delivery answers no signal.
  ///
  /// If the first element was left over from a full batch, this is the start of the delivery of that batch
  /// (C12).
  public let firstSignal: EventInstant?
  /// The instant at which the delivery started.
  public let start: EventInstant
  /// The time that the observers or the run took, on the clock of the scheduler.
  ///
  /// In virtual time, a synchronous observer takes no time. The duration of a run includes the call of its
  /// `onError`.
  public let duration: Duration
  /// The number of elements that a limit has dropped since the previous batch.
  ///
  /// Elements that a leading-only policy has ignored count as well (C9), except in an object with keys (K1).
  public let droppedCount: Int
  /// The reason why the delivery started.
  public let cause: Cause
  /// The error of the run; nil if it has succeeded.
  ///
  /// It is a `CancellationError` if the run has ended because of its cancellation, see ``isCancelled``.
  public let error: (any Error)?
  /// Whether the run was cancelled, so that its error is not a failure.
  ///
  /// The value is true if the run has ended with a `CancellationError` after its cancellation. Another error
  /// of a cancelled run is a failure, and so is a `CancellationError` of a run that was not cancelled (L4).
  public let isCancelled: Bool
  /// The delivered key, as it was passed to the object; nil if the object has no keys.
  public internal(set) var key: (any Sendable)?

  /// The time from the first signal to the start; nil if there was no signal.
  public var latency: Duration? { firstSignal.map { $0.duration(to: start) } }
}
