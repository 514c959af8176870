internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// A hand-written debounce for each key: a dictionary of tasks. A key is removed when it is delivered.
final class TaskDictionary: Sendable {
  private let tasks: Mutex<[Int: Task<Void, Never>]> = Mutex([:])
  private let interval: Duration
  private let block: @Sendable (Int) -> Void

  init(_ interval: Duration, _ block: @escaping @Sendable (Int) -> Void) {
    self.interval = interval
    self.block = block
  }

  func schedule(_ key: Int) {
    let task = Task { [self] in
      do { try await Task.sleep(for: interval) } catch { return }
      tasks.withLock { _ = $0.removeValue(forKey: key) }
      block(key)
    }
    tasks.withLock { $0.updateValue(task, forKey: key) }?.cancel()
  }
}

/// A hand-written debounce for each key: a dictionary of timer sources.
final class TimerDictionary: Sendable {
  private let timers: Guarded<[Int: any DispatchSourceTimer]> = Guarded([:])
  private let queue: DispatchQueue
  private let interval: DispatchTimeInterval
  private let block: @Sendable (Int) -> Void

  init(_ queue: DispatchQueue, _ interval: DispatchTimeInterval, _ block: @escaping @Sendable (Int) -> Void) {
    self.queue = queue
    self.interval = interval
    self.block = block
  }

  func schedule(_ key: Int) {
    timers.withLock { timers in
      if let timer = timers[key] { return timer.schedule(deadline: .now() + interval) }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [self] in fire(key) }
      timer.schedule(deadline: .now() + interval)
      timer.activate()
      timers[key] = timer
    }
  }

  private func fire(_ key: Int) {
    timers.withLock { $0.removeValue(forKey: key) }?.cancel()
    block(key)
  }
}

/// A debounce for each key: a dictionary of the library's own callbacks. Keys are never removed.
final class CallbackDictionary: Sendable {
  private let callbacks: Mutex<[Int: CoalescingCallback]> = Mutex([:])
  private let scheduler: any EventScheduler
  private let policy: CoalescingPolicy
  private let block: @Sendable (Int) -> Void

  init(
    _ scheduler: any EventScheduler, _ policy: CoalescingPolicy, _ block: @escaping @Sendable (Int) -> Void
  ) {
    self.scheduler = scheduler
    self.policy = policy
    self.block = block
  }

  func schedule(_ key: Int) {
    let callback = callbacks.withLock { callbacks in
      if let callback = callbacks[key] { return callback }
      let callback = CoalescingCallback(on: scheduler, policy: policy) { [block] in block(key) }
      callbacks[key] = callback
      return callback
    }
    callback.schedule()
  }
}
