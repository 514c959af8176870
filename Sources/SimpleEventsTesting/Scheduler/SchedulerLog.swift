internal import CSimpleEvents
internal import SimpleEvents

/// The log of the objects that deliver and the tasks that wait in virtual time. It explains a stuck run.
///
/// Each test scheduler has a log in a debug build. While the scheduler drives a thread, its log is installed
/// on that thread. A log retains neither objects nor tasks.
final class SchedulerLog: PendingRecorder {
  private struct State {
    var objects: [ObjectIdentifier: NotedObject] = [:]
    /// The waits in progress, by number.
    var waits: [Int: WeakHandle<Wait>] = [:]
    /// The number of objects and waits that were recorded so far.
    var noted: Int = 0
    /// The number of drives so far. A drive is one advance or one run. The requests of an object are counted
    /// for each drive.
    var drive: Int = 0
    /// Whether the main actor gets no turn until the drive in progress ends.
    var keepsThread: Bool = false
    /// The first loops that were neglected in the latest drive. They were released with requests pending, and
    /// never had a host.
    var neglected: [DiagnosticSubject] = []
    /// The number of recorded objects at which deallocated objects are removed.
    var sweepLength: Int = smallestSweep

    mutating func takeNumber() -> Int {
      noted += 1
      return noted
    }
  }

  private struct NotedObject {
    let handle: WeakHandle<AnyObject>
    let scheduler: WeakHandle<AnyObject>
    let schedulerType: Any.Type
    /// The position of the object in the order in which the objects were added.
    let number: Int
    /// The number of requests of the object in one drive.
    var requests: (drive: Int, count: Int)
  }

  /// The state of an object that was recorded.
  struct Object {
    let id: ObjectIdentifier
    let subject: DiagnosticSubject
    /// The object's scheduler; nil if the scheduler is deallocated, or is not a class instance.
    let scheduler: AnyObject?
    let schedulerType: Any.Type
    let isPending: Bool
    let isRunning: Bool
    /// Whether the object is pending until a task hosts it.
    let needsHost: Bool
    /// Whether a delivery of the object is pending but never comes by itself, because the window (C8) or the
    /// wait for a retry (L8) never ends.
    let isEndless: Bool
    /// A clause that names the pending parts of the object; empty if no part is pending.
    let pendingParts: String
    /// A clause that names the running parts of the object; empty if no part runs.
    let runningParts: String
    /// The number of turns and alarms that the object has requested in the latest drive.
    let requestCount: Int
  }

  /// A wait in progress. It ends when this object is deallocated.
  final class Wait: Sendable {
    let awaited: PendingWait
    /// The loop in whose run the task waits; nil if the task waits outside of a run.
    let loop: ObjectIdentifier?
    /// The position of the wait in the order in which the waits began.
    private let number: Int
    private let log: SchedulerLog

    fileprivate init(_ awaited: PendingWait, in loop: ObjectIdentifier?, to log: SchedulerLog) {
      self.awaited = awaited
      self.loop = loop
      self.log = log
      number = log.state.withLock { $0.takeNumber() }
      log.state.withLock { $0.waits[number] = WeakHandle(self) }
    }

    deinit { log.state.withLock { $0.waits[number] = nil } }
  }

  private static let smallestSweep: Int = 64
  private static let mostNeglected: Int = 8

  /// Guards the recorded objects and waits. Their state is read, and they are released, after the lock is
  /// released.
  private let state: Guarded<State> = Guarded(State())

  /// Creates a log in a debug build; returns nil in a release build.
  init?() {
    #if !DEBUG
      return nil
    #endif
  }

  /// Begins an advance or a run. The requests and neglected loops of earlier drives no longer count.
  ///
  /// - Parameter isInner: Whether a run is in progress around the drive. The neglected loops of that run then
  ///   still count.
  func beginDrive(isInner: Bool = false) {
    state.withLock { state in
      state.drive += 1
      if !isInner { state.neglected = [] }
    }
  }

  /// Installs a log on the calling thread for a drive. The caller keeps the log alive until
  /// ``end(_:restoring:)``.
  ///
  /// - Parameters:
  ///   - log: The log to install; nil in a release build.
  ///   - keepsThread: Whether the main actor gets no turn until the drive ends.
  /// - Returns: The value to pass to ``end(_:restoring:)``.
  static func begin(_ log: SchedulerLog?, keepsThread: Bool) -> UnsafeMutableRawPointer? {
    guard let log else { return nil }
    log.state.withLock { $0.keepsThread = keepsThread }
    return unsafe simple_events_set_pending_log(Unmanaged<AnyObject>.passUnretained(log).toOpaque())
  }

  /// Ends a drive, and restores the log that the calling thread had before it.
  ///
  /// - Parameters:
  ///   - log: The log of the drive; nil in a release build. A log has one drive at a time.
  ///   - outer: The value that ``begin(_:keepsThread:)`` has returned.
  static func end(_ log: SchedulerLog?, restoring outer: UnsafeMutableRawPointer?) {
    #if DEBUG
      log?.state.withLock { $0.keepsThread = false }
      _ = unsafe simple_events_set_pending_log(outer)
    #endif
  }

  var keepsThread: Bool { state.withLock { $0.keepsThread } }

  func add(_ object: any PendingObject, on scheduler: any Sendable, isRequest: Bool) {
    let id = ObjectIdentifier(object)
    let needsSweep = state.withLock { state in
      let drive = state.drive
      // The object that was recorded for this address may be deallocated. The caller retains the object that
      // has the address now.
      if let noted = state.objects[id], noted.handle.object != nil {
        let count = noted.requests.drive == drive ? noted.requests.count : 0
        state.objects[id]?.requests = (drive, count + (isRequest ? 1 : 0))
        return false
      }
      state.objects[id] = NotedObject(
        handle: WeakHandle(object), scheduler: WeakHandle(scheduler as AnyObject),
        schedulerType: type(of: scheduler), number: state.takeNumber(),
        requests: (drive, isRequest ? 1 : 0))
      return state.objects.count >= state.sweepLength
    }
    if needsSweep { sweep() }
  }

  func addNeglected(_ subject: DiagnosticSubject) {
    state.withLock { if $0.neglected.count < Self.mostNeglected { $0.neglected.append(subject) } }
  }

  func add(_ wait: PendingWait, inRunOf loop: ObjectIdentifier?) -> AnyObject {
    Wait(wait, in: loop, to: self)
  }

  /// Removes the objects that are deallocated.
  // NB: this method reads the state of no object, because the caller may hold an object's lock.
  private func sweep() {
    let dead = state.withLock { $0.objects }.filter { $0.value.handle.object == nil }
    state.withLock { state in
      for id in dead.keys { state.objects[id] = nil }
      state.sweepLength = max(Self.smallestSweep, 2 * state.objects.count)
    }
  }

  /// The objects that are alive, in the order in which they were recorded.
  ///
  /// - Complexity: O(n log n).
  var objects: [Object] {
    let (noted, drive) = state.withLock { ($0.objects.values.sorted { $0.number < $1.number }, $0.drive) }
    return noted.compactMap { noted in
      guard let object = noted.handle.object as? any PendingObject else { return nil }
      return Object(
        id: ObjectIdentifier(object), subject: object.subject, scheduler: noted.scheduler.object,
        schedulerType: noted.schedulerType, isPending: object.isPending, isRunning: object.isRunning,
        needsHost: object.needsHost, isEndless: object.isEndless,
        pendingParts: object.pendingParts, runningParts: object.runningParts,
        requestCount: noted.requests.drive == drive ? noted.requests.count : 0)
    }
  }

  /// The waits in progress, in the order in which they began.
  ///
  /// - Complexity: O(n log n).
  var waits: [Wait] { state.withLock { $0.waits }.sorted { $0.key < $1.key }.compactMap(\.value.object) }

  /// The first loops that were neglected in the latest drive. They were released with requests pending, and
  /// never had a host.
  var neglected: [DiagnosticSubject] { state.withLock { $0.neglected } }
}
