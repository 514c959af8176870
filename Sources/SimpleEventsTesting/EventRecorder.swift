public import SimpleEvents
internal import Synchronization

/// Records when something happened: the notifications of an event, or whatever calls ``record()``.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let recorder = EventRecorder(model.didChange, scheduler: scheduler)
/// model.rename()
/// scheduler.advance()
/// #expect(recorder.count == 1)
/// ```
///
/// Usable from any thread.
public final class EventRecorder: Sendable {
  private let scheduler: any EventScheduler
  private let start: EventInstant
  /// Guards the instants recorded.
  private let instants: Mutex<[EventInstant]> = Mutex([])
  /// Guards the token, which is written once, when all else is ready.
  private let token: Mutex<Token> = Mutex(Token())

  /// NB: `@unchecked`, since tokens of the user's own need not be `Sendable`. It is only ever released,
  /// which a token allows on any thread (E5).
  private struct Token: @unchecked Sendable {
    var token: (any SimpleEventToken)?
  }

  /// Creates a recorder that records when it is told to.
  ///
  /// - Parameter scheduler: What tells the time.
  public init(scheduler: any EventScheduler) {
    self.scheduler = scheduler
    start = scheduler.now
  }

  /// Creates a recorder of an event's notifications.
  ///
  /// - Parameters:
  ///   - event: Observed for as long as the recorder lives, and not kept alive.
  ///   - scheduler: What tells the time.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  public convenience init(
    _ event: any SimpleEventObservable, scheduler: any EventScheduler, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(scheduler: scheduler)
    let site = RegistrationSite(isolation: nil, fileID: fileID, line: line)
    let token = Token(token: event.addObserver(at: site) { [weak self] _ in self?.record() })
    self.token.withLock { $0 = token }
  }

  /// Records that something happened now.
  public func record() {
    let now = scheduler.now
    instants.withLock { $0.append(now) }
  }

  /// When things happened, counted from the creation of this recorder.
  public var times: [Duration] {
    instants.withLock { instants in instants.map(start.duration(to:)) }
  }

  /// How many things happened.
  public var count: Int {
    instants.withLock { $0.count }
  }

  /// Forgets what has been recorded; times go on being counted from the creation.
  public func removeAll() {
    instants.withLock { $0 = [] }
  }
}
