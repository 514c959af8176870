internal import ExplorerEngine

/// A source of events. The model has timers only.
public protocol DispatchSourceProtocol: AnyObject, Sendable {
  /// Sets the closure that the queue runs at each event.
  func setEventHandler(handler: (@Sendable () -> Void)?)
  /// Sets the closure that the queue runs once the source is cancelled.
  func setCancelHandler(handler: (@Sendable () -> Void)?)
  /// Lets the source begin.
  func activate()
  /// Lets the source begin.
  func resume()
  /// Ends the source; a handler that has begun runs to its end.
  func cancel()
  /// Whether the source has been cancelled.
  var isCancelled: Bool { get }
}

/// A timer.
public protocol DispatchSourceTimer: DispatchSourceProtocol {
  /// Sets the time of the next event, in place of the one set before. The event comes as late as the leeway
  /// allows.
  func schedule(deadline: DispatchTime, repeating: DispatchTimeInterval, leeway: DispatchTimeInterval)
}

extension DispatchSourceTimer {
  /// Sets the time of the next event, in place of the one set before.
  public func schedule(deadline: DispatchTime, leeway: DispatchTimeInterval = .nanoseconds(0)) {
    schedule(deadline: deadline, repeating: .never, leeway: leeway)
  }
}

/// The maker of sources.
public enum DispatchSource {
  /// Makes a timer whose handler runs on a queue.
  public static func makeTimerSource(queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
    Timer(on: queue ?? .global())
  }

  /// The number of timers in this execution that have not been deallocated.
  public static var timerCount: Int { Timer.living.execution == engine.execution ? Timer.living.count : 0 }
}

/// A timer of the model. Its deadline keeps it and its queue alive, as Dispatch does for an active source.
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
  /// Counts the schedules. An event that was queued under an earlier one is void.
  private var generation: Int = 0
  private var isHandling: Bool = false
  /// Whether an event came while the handler ran, which then runs once more: it never overlaps itself.
  private var hasEvent: Bool = false
  /// The order of the uses of the timer, which has a lock of its own.
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
    // As in Dispatch the handlers are released by the queue.
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
