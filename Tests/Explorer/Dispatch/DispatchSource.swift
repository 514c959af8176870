internal import ExplorerEngine

/// A source of events. The model has only timers.
public protocol DispatchSourceProtocol: AnyObject, Sendable {
  /// Sets the closure that the queue runs at each event.
  func setEventHandler(handler: (@Sendable () -> Void)?)
  /// Sets the closure that the queue runs after the source was cancelled.
  func setCancelHandler(handler: (@Sendable () -> Void)?)
  /// Starts the source.
  func activate()
  /// Starts the source.
  func resume()
  /// Cancels the source. A handler that has begun runs to its end.
  func cancel()
  /// Whether the source was cancelled.
  var isCancelled: Bool { get }
}

/// A timer.
public protocol DispatchSourceTimer: DispatchSourceProtocol {
  /// Sets the time of the next event, in place of an earlier setting. The event is as late as the leeway
  /// allows.
  func schedule(deadline: DispatchTime, repeating: DispatchTimeInterval, leeway: DispatchTimeInterval)
}

extension DispatchSourceTimer {
  /// Sets the time of the next event, in place of an earlier setting.
  public func schedule(deadline: DispatchTime, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    schedule(deadline: deadline, repeating: .never, leeway: leeway)
  }
}

/// Creates sources.
public enum DispatchSource {
  /// Creates a timer whose handler runs on a queue.
  public static func makeTimerSource(queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
    Timer(on: queue ?? .global())
  }

  /// The number of timers in this execution that have not been deallocated.
  public static var timerCount: Int { Timer.living.execution == engine.execution ? Timer.living.count : 0 }
}

/// A timer of the model. As in Dispatch, the deadline of an active timer keeps the timer and its queue alive.
private final class Timer: DispatchObject, DispatchSourceTimer, @unchecked Sendable {
  // SAFETY: all fibers run on one thread.
  nonisolated(unsafe) static var living: (execution: UInt32, count: Int) = (0, 0)

  private let queue: DispatchQueue
  private let execution: UInt32 = engine.execution
  private var deadline: Int64?
  private var interval: Int64?
  private var handler: (@Sendable () -> Void)?
  private var cancelHandler: (@Sendable () -> Void)?
  private var isActive: Bool = false
  private(set) var isCancelled: Bool = false
  /// The number of calls of `schedule`. An event that was queued before the latest call is void.
  private var generation: Int = 0
  private var isHandling: Bool = false
  /// Whether an event came while the handler was running. The handler then runs once more, because it never
  /// overlaps itself.
  private var hasEvent: Bool = false
  /// The vector clock that orders the uses of the timer. A timer has a lock for them.
  private var clock: VectorClock = VectorClock()

  init(on queue: DispatchQueue) {
    self.queue = queue
    Self.living = (execution, DispatchSource.timerCount + 1)
  }

  deinit {
    if Self.living.execution == execution { Self.living.count -= 1 }
    guard isActive else { fatalError("a source is released that was never activated") }
  }

  func schedule(deadline: DispatchTime, repeating: DispatchTimeInterval, leeway: DispatchTimeInterval) {
    visit("schedules a timer")
    self.deadline = deadline == .distantFuture ? nil : Int64(clamping: (deadline + leeway).uptimeNanoseconds)
    interval = repeating == .never ? nil : Int64(repeating.nanoseconds)
    generation += 1
    arm()
  }

  func setEventHandler(handler: (@Sendable () -> Void)?) {
    visit("sets a timer's handler")
    self.handler = handler
  }

  func setCancelHandler(handler: (@Sendable () -> Void)?) {
    cancelHandler = handler
  }

  func activate() {
    visit("activates a timer")
    isActive = true
    arm()
  }

  func resume() {
    activate()
  }

  func cancel() {
    visit("cancels a timer")
    guard !isCancelled else { return }
    isCancelled = true
    engine.time.clear(self)
    // As in Dispatch, the queue releases the handlers.
    queue.enqueue(knowing: clock) { [self] in
      let handlers = (handler, cancelHandler)
      (handler, cancelHandler) = (nil, nil)
      handlers.1?()
    }
  }

  private func visit(_ step: String) {
    engine.point()
    engine.trace(step)
    engine.acquire(clock)
    clock = engine.release()
  }

  private func arm() {
    guard isActive, !isCancelled else { return }
    guard let deadline else { return engine.time.clear(self) }
    let generation = generation
    engine.time.set(self, at: deadline) { [self] in
      queue.enqueue(knowing: clock) { [self] in fire(generation) }
      if let interval {
        self.deadline = deadline + interval
        arm()
      }
    }
  }

  private func fire(_ generation: Int) {
    engine.acquire(clock)
    guard !isCancelled, generation == self.generation, let handler else { return }
    hasEvent = isHandling
    guard !isHandling else { return }
    isHandling = true
    handler()
    isHandling = false
    if hasEvent { queue.enqueue(knowing: clock) { [self] in fire(self.generation) } }
  }
}
