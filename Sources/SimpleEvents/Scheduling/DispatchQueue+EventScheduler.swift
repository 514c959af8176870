public import Dispatch

/// Makes every dispatch queue a scheduler, whose clock is the monotonic uptime clock.
///
/// A turn is one block of the queue. A serial queue runs one piece of work at a time. A concurrent queue
/// starts work in order, but pieces of work may overlap. Every type that coalesces may be used on a
/// concurrent queue (C1). Work on the main queue runs only if the program drains that queue: a program whose
/// `main` is not `async` calls `dispatchMain()`.
extension DispatchQueue: EventScheduler {
  /// The current reading of the monotonic uptime clock.
  public var now: EventInstant { .uptime }

  /// Whether the caller runs on this queue, or on a queue that targets this queue.
  ///
  /// In the block of a `sync` on another queue, the caller runs on that other queue only.
  ///
  /// - Complexity: O(1). The first call for a queue takes a lock and allocates memory.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: state.key) != nil }

  /// Runs work on the next turn of this queue.
  public func schedule(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

  /// Runs work on this queue at a deadline of the uptime clock.
  @discardableResult public func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    state.timers.schedule(at: deadline, tolerance: tolerance, on: self, work)
  }
}

extension DispatchQueue {
  /// The global queue with the quality of service of the calling task or global queue; the default global
  /// queue if that quality is not known.
  package static var globalOfCaller: DispatchQueue {
    if let queue = getSpecific(key: globalKey) { return queue }
    return switch Task.currentPriority.rawValue {
    case 0: .global()
    case ...TaskPriority.background.rawValue: .global(qos: .background)
    case ...TaskPriority.utility.rawValue: .global(qos: .utility)
    case ...TaskPriority.medium.rawValue: .global()
    case ...TaskPriority.high.rawValue: .global(qos: .userInitiated)
    default: .global(qos: .userInteractive)
    }
  }

  /// Marks the global queues, because not every system can return the quality of service of a thread.
  private static let globalKey: DispatchSpecificKey<DispatchQueue> = {
    let key = DispatchSpecificKey<DispatchQueue>()
    for quality in [.background, .utility, .default, .userInitiated, .userInteractive]
      as [DispatchQoS.QoSClass]
    {
      global(qos: quality).setSpecific(key: key, value: global(qos: quality))
    }
    return key
  }()
}

extension EventInstant {
  /// The current reading of the monotonic uptime clock.
  static var uptime: EventInstant {
    EventInstant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }
}

extension EventScheduler where Self == DispatchQueue {
  /// The main dispatch queue.
  public static var main: DispatchQueue { DispatchQueue.main }

  /// A global dispatch queue.
  ///
  /// ```swift
  /// let didScan = LazySimpleEvent(on: .global(qos: .utility))
  /// ```
  ///
  /// The queue is concurrent: a delivery does not overlap itself (C1), but the deliveries of two objects may
  /// run at the same time, and two successive deliveries may run on different threads.
  ///
  /// If a default argument of a public function names a quality of service, such as `.utility`, the file of
  /// that function must import `Dispatch`.
  ///
  /// - Parameter qos: The quality of service of the queue.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
    DispatchQueue.global(qos: qos)
  }
}
