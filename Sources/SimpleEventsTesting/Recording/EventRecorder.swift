public import SimpleEvents

/// Records the instants at which an event notifies, or at which a test calls the recorder.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let recorder = EventRecorder(model.didChange, on: scheduler)
/// model.rename()
/// scheduler.advance()
/// #expect(recorder.count == 1)
/// ```
///
/// A recorder keeps instants only. A test of values or keys adds them to a list of its own, together with
/// ``TestScheduler/elapsed`` if the times matter.
///
/// A recorder may be used from any thread.
public final class EventRecorder: Sendable {
  private let scheduler: any EventScheduler
  private let start: EventInstant
  /// Guards the recorded instants.
  private let instants: Guarded<[EventInstant]> = Guarded([])
  /// Guards the token; nil for a recorder of calls. The token is set once, at the end of initialisation.
  private let token: Guarded<(any SimpleEventToken)?> = Guarded(nil)

  /// Creates a recorder of calls.
  ///
  /// - Parameter scheduler: The scheduler whose clock gives the recorded instants.
  public init(on scheduler: some EventScheduler) {
    self.scheduler = scheduler
    start = scheduler.now
  }

  /// Creates a recorder of an event's notifications.
  ///
  /// - Parameters:
  ///   - event: The event to observe until the recorder is deallocated. The recorder does not keep the event
  ///     alive.
  ///   - scheduler: The scheduler whose clock gives the recorded instants.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public convenience init(
    _ event: any SimpleEventObservable, on scheduler: some EventScheduler, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(on: scheduler)
    let site = CallSite(fileID: fileID, line: line)
    _ = token.exchange(event.addObserver(at: site) { @Sendable [weak self] _ in self?.record() })
  }

  /// Records the current instant.
  public func record() {
    let now = scheduler.now
    instants.withLock { $0.append(now) }
  }

  /// The recorded instants, as durations from the creation of the recorder.
  public var times: [Duration] {
    instants.withLock { instants in instants.map(start.duration(to:)) }
  }

  /// The number of recorded instants.
  public var count: Int {
    instants.withLock { $0.count }
  }

  /// Removes the recorded instants. Later times are still measured from the creation of the recorder.
  public func removeAll() {
    instants.withLock { $0 = [] }
  }
}
