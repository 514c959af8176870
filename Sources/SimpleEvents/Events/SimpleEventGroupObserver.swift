public import Dispatch

/// Observes many events with one block, which is told which of them fired.
///
/// ```swift
/// let observer = SimpleEventGroupObserver(
///   events: settings.didChange, index.didChange,
///   policy: .debounce(.milliseconds(100), maxWait: .seconds(1))
/// ) { fired in
///   refresh(because: fired)
/// }
/// ```
///
/// It keeps its events alive, and observes them until it is removed or deallocated.
///
/// - **E8** The block receives the events that fired since its last call, each once, in the order in
///   which they first did. It is never called with none.
/// - **E6** When ``remove()`` has returned on the delivering thread, the block is not called again.
public final class SimpleEventGroupObserver: SimpleEventObserver {
  /// The classic names for three policies, with the behaviour they always had.
  ///
  /// The names mislead, the timing is kept: ``CoalescingPolicy`` says the same in the field's terms.
  public enum DebouncePolicy: Sendable {
    /// `.debounce(timeout)`: when it has been quiet for the timeout. A storm can put it off for ever;
    /// give a policy with `maxWait` where it must not.
    case `default`
    /// `.debounce(timeout, edges: .leading)`: the first event of a burst at once, and none until it has
    /// been quiet for the timeout: every event starts that wait anew. A storm is delivered once.
    case debounceLeading
    /// `.audit(timeout)`: a timeout after the first event, whatever comes in between; the next event
    /// starts over. What other libraries call throttle reacts to the first event at once: `.throttle`.
    case throttle
  }

  private let fired: FiredEvents
  private let callback: CoalescingCallback

  /// Creates an observer that delivers on the main queue, with one of the classic policies.
  ///
  /// - Parameters:
  ///   - events: The events to observe; one that is listed twice is observed once.
  ///   - debounceTimeout: Seconds; zero or less delivers on the next turn, whatever the policy.
  ///   - debouncePolicy: What the timeout means.
  ///   - label: What diagnostics call the observer.
  ///   - misuse: What to do about a timeout that is not a number.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: Called with the events that fired.
  public convenience init(
    events: [any SimpleEventObservable], debounceTimeout: Double = 0,
    debouncePolicy: DebouncePolicy = .default, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping ([any SimpleEventObservable]) -> Void
  ) {
    let site = RegistrationSite(isolation: nil, fileID: fileID, line: line)
    self.init(
      events: events, policy: debouncePolicy.policy(timeout: debounceTimeout, misuse: misuse, at: site),
      label: label, misuse: misuse, fileID: fileID, line: line, block: block)
  }

  /// Creates an observer of the events listed that delivers on the main queue, with a classic policy.
  ///
  /// - Parameters:
  ///   - events: The events to observe; one that is listed twice is observed once.
  ///   - debounceTimeout: Seconds; zero or less delivers on the next turn, whatever the policy.
  ///   - debouncePolicy: What the timeout means.
  ///   - label: What diagnostics call the observer.
  ///   - misuse: What to do about a timeout that is not a number.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: Called with the events that fired.
  public convenience init(
    events: any SimpleEventObservable..., debounceTimeout: Double = 0,
    debouncePolicy: DebouncePolicy = .default, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping ([any SimpleEventObservable]) -> Void
  ) {
    self.init(
      events: events, debounceTimeout: debounceTimeout, debouncePolicy: debouncePolicy, label: label,
      misuse: misuse, fileID: fileID, line: line, block: block)
  }

  /// Creates an observer of the events listed, with any policy and scheduler.
  ///
  /// - Parameters:
  ///   - events: The events to observe; one that is listed twice is observed once.
  ///   - policy: When to deliver.
  ///   - scheduler: Where to deliver, and what tells the time.
  ///   - label: What diagnostics call the observer.
  ///   - misuse: What to do about a policy without edges, or a flush off the scheduler.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: Called with the events that fired.
  public convenience init(
    events: any SimpleEventObservable..., policy: CoalescingPolicy,
    scheduler: any EventScheduler = DispatchQueue.main, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping ([any SimpleEventObservable]) -> Void
  ) {
    self.init(
      events: events, policy: policy, scheduler: scheduler, label: label, misuse: misuse, fileID: fileID,
      line: line, block: block)
  }

  /// Creates an observer with any policy and scheduler.
  ///
  /// - Parameters:
  ///   - events: The events to observe; one that is listed twice is observed once.
  ///   - policy: When to deliver.
  ///   - scheduler: Where to deliver, and what tells the time.
  ///   - label: What diagnostics call the observer.
  ///   - misuse: What to do about a policy without edges, or a flush off the scheduler.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: Called with the events that fired.
  public init(
    events: [any SimpleEventObservable], policy: CoalescingPolicy,
    scheduler: any EventScheduler = DispatchQueue.main, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping ([any SimpleEventObservable]) -> Void
  ) {
    let fired = FiredEvents(block)
    let callback = CoalescingCallback(
      scheduler: scheduler, policy: policy, label: label ?? "SimpleEventGroupObserver", misuse: misuse,
      fileID: fileID, line: line, block: fired.deliver)
    self.fired = fired
    self.callback = callback
    fired.observe(events, at: RegistrationSite(isolation: nil, fileID: fileID, line: line)) {
      callback.schedule()
    }
  }

  deinit {
    remove()
  }

  /// Stops observing, drops what is pending, and lets go of the events and the block.
  ///
  /// Idempotent, from any thread.
  public func remove() {
    fired.close()
    callback.cancel()
  }

  /// Delivers what is pending now, on the calling thread.
  ///
  /// See ``CoalescingCallback/flush()``.
  public func flush() {
    callback.flush()
  }

  /// Takes in that an event fired, as though it were one of the group's.
  public func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
    if fired.record(event) {
      callback.schedule()
    }
  }
}

extension SimpleEventGroupObserver.DebouncePolicy {
  package func policy(
    timeout: Double, misuse: MisuseHandler, at site: RegistrationSite
  ) -> CoalescingPolicy {
    if timeout.isNaN {
      misuse.flag(
        Misuse(
          .notANumber,
          """
          The debounceTimeout of a SimpleEventGroupObserver created at \(site) is not a number; it is taken for \
          zero. Pass seconds.
          """, at: site))
    }
    let interval = Duration(saturatingSeconds: timeout)
    return switch self {
    case .default: .debounce(interval)
    case .debounceLeading: .debounce(interval, edges: .leading)
    case .throttle: .audit(interval)
    }
  }
}

extension Duration {
  /// A number of seconds: not a number is zero, and what is too large becomes the largest (C8).
  fileprivate init(saturatingSeconds seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded(.up)
    self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds > 0 ? .max : 0))
  }
}
