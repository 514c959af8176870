internal import ExplorerEngine

// SAFETY: all fibers run on one thread, and the state is consistent at each visible operation.
/// The base class of queues and sources.
public class DispatchObject: @unchecked Sendable {}

/// A dispatch queue of the model: work in order, and as many fibers to run it as the queue has width.
public final class DispatchQueue: DispatchObject, @unchecked Sendable {
  /// The attributes that the model knows.
  public struct Attributes: OptionSet, Sendable {
    /// The queue may run two pieces of work at the same time.
    public static let concurrent: Attributes = Attributes(rawValue: 1)

    /// One bit for each attribute.
    public let rawValue: UInt64

    /// Makes a set of attributes from its bits.
    public init(rawValue: UInt64) {
      self.rawValue = rawValue
    }
  }

  /// The queue's name.
  public let label: String
  private let target: DispatchQueue?
  private let line: WorkQueue
  private var specifics: [ObjectIdentifier: Any] = [:]
  /// The order of the uses of specifics, for which a queue has a lock of its own.
  private var specificsClock: VectorClock = VectorClock()

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - label: The queue's name in traces.
  ///   - qos: Ignored.
  ///   - attributes: Serial by default.
  ///   - target: The queue whose workers run the work. A serial queue on a concurrent one has a worker of its
  ///     own.
  public init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    target: DispatchQueue? = nil
  ) {
    self.label = label
    self.target = target
    line = WorkQueue(label, width: attributes.contains(.concurrent) ? 2 : 1)
  }

  /// The main queue: a serial one that is made anew in each execution.
  public static var main: DispatchQueue { WellKnownQueues.current.main }

  /// A global queue: a concurrent one that is made anew in each execution.
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

  /// Queues work that is run at a deadline.
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

  /// Keeps a value with the queue.
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {
    engine.point()
    engine.acquire(specificsClock)
    let old = specifics.updateValue(value as Any, forKey: ObjectIdentifier(key))
    specificsClock = engine.release()
    withExtendedLifetime(old) {}
  }

  /// The value that this queue keeps.
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
    engine.point()
    return specific(key)
  }

  /// The value that the current queue keeps, or else the first queue among its targets.
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

/// Names a value that queues keep.
public final class DispatchSpecificKey<T>: Sendable {
  /// Makes a key.
  public init() {}
}

/// The queues that a program does not make.
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
