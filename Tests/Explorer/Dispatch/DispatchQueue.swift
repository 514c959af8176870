internal import ExplorerEngine

// SAFETY: all fibers run on one thread, and the state is consistent at each visible operation.
/// The base class of queues and sources.
public class DispatchObject: @unchecked Sendable {}

/// A dispatch queue of the model. It keeps work in order. Its width is the number of fibers that run the
/// work.
public final class DispatchQueue: DispatchObject, @unchecked Sendable {
  /// The attributes that the model supports.
  public struct Attributes: OptionSet, Sendable {
    /// The queue may run two pieces of work at the same time.
    public static let concurrent: Attributes = Attributes(rawValue: 1)

    /// The bits, one for each attribute.
    public let rawValue: UInt64

    /// Creates a set of attributes from its bits.
    public init(rawValue: UInt64) {
      self.rawValue = rawValue
    }
  }

  /// The name of the queue.
  public let label: String
  private let target: DispatchQueue?
  private let line: WorkQueue
  private var specifics: [ObjectIdentifier: Any] = [:]
  /// The vector clock that orders the uses of specifics. A queue has a lock for them.
  private var specificsClock: VectorClock = VectorClock()

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - label: The name of the queue in traces.
  ///   - qos: The quality of service. It is ignored.
  ///   - attributes: The attributes. By default the queue is serial.
  ///   - target: The queue whose workers run the work. A serial queue on a concurrent queue has a worker of
  ///     its own.
  public init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    target: DispatchQueue? = nil
  ) {
    self.label = label
    self.target = target
    line = WorkQueue(label, width: attributes.contains(.concurrent) ? 2 : 1)
  }

  /// The main queue, a serial queue. Each execution has a new one.
  public static var main: DispatchQueue { WellKnownQueues.current.main }

  /// Returns the global queue, a concurrent queue. Each execution has a new one.
  public static func global(qos: DispatchQoS.QoSClass = .unspecified) -> DispatchQueue {
    WellKnownQueues.current.global
  }

  /// The number of queued pieces of work that have not begun.
  public var depth: Int { line.depth }

  /// Queues work.
  public func async(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    engine.point()
    engine.trace("queues work on \(label)")
    enqueue(knowing: engine.release(), work)
  }

  /// Queues work that runs at a deadline.
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
    engine.point()
    let (name, clock) = (DispatchObject(), engine.release())
    engine.time.set(name, at: Int64(clamping: deadline.uptimeNanoseconds)) { [self] in
      enqueue(knowing: clock, work)
    }
  }

  /// Queues work without a visible operation of the caller.
  func enqueue(knowing clock: VectorClock, _ work: @escaping () -> Void) {
    let target = target.flatMap { $0.line.width <= line.width ? $0 : nil }
    line.append(forOther: target != nil, knowing: clock) { [self] in asCurrent(work) }
    target?.enqueue(knowing: clock) { [line] in line.runNext() }
  }

  /// Calls a closure as the work of this queue.
  func asCurrent<Result>(_ work: () throws -> Result) rethrows -> Result {
    let outer = engine.queue
    engine.queue = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    defer { engine.queue = outer }
    return try work()
  }

  // MARK: Specifics

  /// Stores a value in the queue.
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {
    engine.point()
    engine.acquire(specificsClock)
    let old = specifics.updateValue(value as Any, forKey: ObjectIdentifier(key))
    specificsClock = engine.release()
    withExtendedLifetime(old) {}
  }

  /// Returns the value that this queue stores.
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
    engine.point()
    return specific(key)
  }

  /// Returns the value of the current queue, or of the first of its targets that has one.
  public static func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
    var queue = engine.queue.map { Unmanaged<DispatchQueue>.fromOpaque($0).takeUnretainedValue() }
    while let next = queue {
      if let value = next.specific(key) {
        return value
      }
      queue = next.target
    }
    return nil
  }

  private func specific<T>(_ key: DispatchSpecificKey<T>) -> T? {
    engine.acquire(specificsClock)
    return specifics[ObjectIdentifier(key)] as? T
  }
}

/// A key of values that queues store.
public final class DispatchSpecificKey<T>: Sendable {
  /// Creates a key.
  public init() {}
}

/// The queues that a program does not create itself.
private struct WellKnownQueues {
  // SAFETY: all fibers run on one thread.
  private nonisolated(unsafe) static var latest: (execution: UInt32, queues: WellKnownQueues)?

  let main: DispatchQueue = DispatchQueue(label: "main queue")
  let global: DispatchQueue = DispatchQueue(label: "global queue", attributes: .concurrent)

  static var current: WellKnownQueues {
    if let latest, latest.execution == engine.execution {
      return latest.queues
    }
    let queues = WellKnownQueues()
    latest = (engine.execution, queues)
    return queues
  }
}
