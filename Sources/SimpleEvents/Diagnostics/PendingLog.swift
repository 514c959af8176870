internal import CSimpleEvents

/// A log of the objects that deliver and the tasks that wait in virtual time, for diagnostics of debug
/// builds.
///
/// Each test scheduler has a log. While the scheduler drives a thread, the log is set on that thread. An
/// object adds itself to the log when it requests a turn or an alarm, and a task when it begins to wait. The
/// log retains none of them. A release build has no log.
package final class PendingLog: Sendable {
  private struct State {
    var objects: [ObjectIdentifier: NotedObject] = [:]
    /// The waits in progress, by their number.
    var waits: [Int: WeakHandle<PendingWait.Record>] = [:]
    /// The number of objects and of waits that were noted so far.
    var noted: Int = 0
    /// The number of drives so far. A drive is one advance or run; the requests of each object are counted
    /// within it.
    var drive: Int = 0
    /// Whether the drive in progress gives the main actor no turn before it ends.
    var keepsThread: Bool = false
    /// The first loops that were released with requests pending and never had a host.
    var neglected: [DiagnosticSubject] = []
    /// The number of objects at which deallocated ones are removed.
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
    /// The position in the order in which the objects were added.
    let number: Int
    /// The requests since the beginning of a drive.
    var requests: (drive: Int, count: Int)
  }

  /// The state of an object that was noted.
  package struct Object {
    package let id: ObjectIdentifier
    package let subject: DiagnosticSubject
    /// Nil if the scheduler is deallocated, or is not an object.
    package let scheduler: AnyObject?
    package let schedulerType: Any.Type
    package let isPending: Bool
    package let isRunning: Bool
    /// Whether the object is pending until a task hosts it.
    package let needsHost: Bool
    /// The number of turns and alarms that the object has requested in the latest drive.
    package let requestCount: Int
  }

  private static let smallestSweep: Int = 64
  private static let mostNeglected: Int = 8

  /// Guards the objects and the waits. Their state is read, and they are released, after the lock.
  private let state: Guarded<State> = Guarded(State())

  /// Creates a log in a debug build; returns nil in a release build.
  package init?() {
    guard isDebugBuild else { return nil }
  }

  /// The log of the tasks that `runOnMain` drives, because other code has turns on their thread between them.
  @TaskLocal package static var inherited: PendingLog?

  /// The log of the scheduler that drives the caller.
  static var current: PendingLog? {
    #if DEBUG
      guard let log = unsafe simple_events_pending_log() else { return inherited }
      // SAFETY: a thread's log is set by `begin(_:keepsThread:)`, whose caller retains it until `end(_:)`.
      return unsafe Unmanaged<PendingLog>.fromOpaque(log).takeUnretainedValue()
    #else
      return nil
    #endif
  }

  /// Sets the log of the calling thread, for a drive. The caller keeps the log until ``end(_:)``.
  ///
  /// - Parameters:
  ///   - log: The log; nil in a release build.
  ///   - keepsThread: Whether the drive gives the main actor no turn before it ends.
  /// - Returns: The argument of `end(_:)`.
  package static func begin(_ log: PendingLog?, keepsThread: Bool) -> UnsafeMutableRawPointer? {
    guard let log else { return nil }
    log.state.withLock { state in
      state.drive += 1
      state.keepsThread = keepsThread
    }
    return unsafe simple_events_set_pending_log(Unmanaged.passUnretained(log).toOpaque())
  }

  /// Restores the log that the calling thread had before the drive.
  package static func end(_ outer: UnsafeMutableRawPointer?) {
    if isDebugBuild { _ = unsafe simple_events_set_pending_log(outer) }
  }

  /// Adds an object that requests a turn or an alarm of its scheduler, if it is a ``PendingObject``.
  @inline(__always)
  static func note(_ object: @autoclosure () -> AnyObject, on scheduler: @autoclosure () -> any Sendable) {
    #if DEBUG
      if let log = current, let object = object() as? any PendingObject { log.add(object, scheduler()) }
    #endif
  }

  /// Records a loop that is released with requests pending and has never had a host (L7).
  static func noteNeglected(_ subject: DiagnosticSubject) {
    current?.state.withLock { if $0.neglected.count < mostNeglected { $0.neglected.append(subject) } }
  }

  /// The first loops that were released with requests pending and never had a host.
  package var neglected: [DiagnosticSubject] { state.withLock { $0.neglected } }

  /// Flags an asynchronous function of the main actor that is about to be called while a test scheduler holds
  /// the main thread: the call would wait until the scheduler returns (L6).
  @inline(__always)
  static func flagIfBlocked(
    _ isolation: @autoclosure () -> (any Actor)?, _ function: String, of subject: DiagnosticSubject
  ) {
    #if DEBUG
      guard let log = current, isolation() === MainActor.shared, MainActor.shared.isCurrent == true
      else { return }
      if log.state.withLock({ $0.keepsThread }) {
        subject.misuse.flag(.mainActorBlocked(function, of: subject))
      }
    #endif
  }

  private func add(_ object: any PendingObject, _ scheduler: any Sendable) {
    let id = ObjectIdentifier(object)
    let needsSweep = state.withLock { state in
      let drive = state.drive
      // An entry of a deallocated object may have the same address. The caller retains the object that has
      // the address now.
      if let noted = state.objects[id], noted.handle.object != nil {
        let count = noted.requests.drive == drive ? noted.requests.count : 0
        state.objects[id]?.requests = (drive, count + 1)
        return false
      }
      state.objects[id] = NotedObject(
        handle: WeakHandle(object), scheduler: WeakHandle(scheduler as AnyObject),
        schedulerType: type(of: scheduler), number: state.takeNumber(), requests: (drive, 1))
      return state.objects.count >= state.sweepLength
    }
    if needsSweep { sweep() }
  }

  func takeNumber() -> Int { state.withLock { $0.takeNumber() } }

  func add(_ record: PendingWait.Record) {
    state.withLock { $0.waits[record.number] = WeakHandle(record) }
  }

  func remove(_ record: PendingWait.Record) { state.withLock { $0.waits[record.number] = nil } }

  /// Removes the objects that are deallocated.
  // NB: this reads no state of an object, because the caller may hold the lock of one.
  private func sweep() {
    let dead = state.withLock { $0.objects }.filter { $0.value.handle.object == nil }
    state.withLock { state in
      for id in dead.keys { state.objects[id] = nil }
      state.sweepLength = max(Self.smallestSweep, 2 * state.objects.count)
    }
  }

  /// The objects that are alive, in the order in which they were noted.
  ///
  /// - Complexity: O(n log n).
  package var objects: [Object] {
    let (noted, drive) = state.withLock { ($0.objects.values.sorted { $0.number < $1.number }, $0.drive) }
    return noted.compactMap { noted in
      guard let object = noted.handle.object as? any PendingObject else { return nil }
      return Object(
        id: ObjectIdentifier(object), subject: object.subject, scheduler: noted.scheduler.object,
        schedulerType: noted.schedulerType, isPending: object.isPending, isRunning: object.isRunning,
        needsHost: object.needsHost, requestCount: noted.requests.drive == drive ? noted.requests.count : 0)
    }
  }

  /// The waits in progress, in the order in which they began.
  ///
  /// - Complexity: O(n log n).
  package var waits: [PendingWait.Record] {
    state.withLock { $0.waits }.sorted { $0.key < $1.key }.compactMap(\.value.object)
  }
}

/// An object that coalesces, as diagnostics describe it.
package protocol PendingObject: AnyObject {
  var subject: DiagnosticSubject { get }
  /// Whether a delivery comes without a further signal.
  var isPending: Bool { get }
  /// Whether an asynchronous delivery is in progress.
  var isRunning: Bool { get }
  /// Whether a delivery is pending until a task hosts the object.
  var needsHost: Bool { get }
  /// Whether a delivery is pending or in progress. The two are read in one step.
  var isPendingOrDelivering: Bool { get }
}

extension PendingObject {
  package var isRunning: Bool { false }
  package var needsHost: Bool { false }
  package var isPendingOrDelivering: Bool { isPending }
}
