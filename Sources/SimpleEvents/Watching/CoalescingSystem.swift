internal import CSimpleEvents

/// Installs the monitor of a program, once.
///
/// ```swift
/// let inspector = CoalescingInspector()
/// CoalescingSystem.bootstrap(inspector)
/// // The objects that are created from here on are watched.
/// ```
///
/// If no monitor is installed, no signal is counted, and no object needs memory for counts (W1).
public enum CoalescingSystem {
  /// The installed monitor; nil if none is installed.
  private static let installed: Guarded<(any CoalescingMonitor)?> = Guarded(nil)

  /// The name and the place of the first object that was created without a monitor. It is recorded in debug
  /// builds.
  private static let firstUnwatched: Guarded<String?> = Guarded(nil)

  /// The monitor of a task and of the tasks that inherit its task-local values.
  @TaskLocal package static var scoped: (any CoalescingMonitor)?

  // The values of the flags of the process. The flags themselves are stored in C.
  /// An object was created without a monitor.
  private static let hasUnwatchedObjects: UInt8 = 1
  private static let isBootstrapped: UInt8 = 2
  /// A monitor was installed for a task.
  private static let hasScopes: UInt8 = 4

  /// Installs the monitor of this process, for the objects that are created later.
  ///
  /// Call this method once, before the first object that coalesces is created. A later call is flagged,
  /// because existing objects are never watched. Objects that the argument creates are not watched, and do
  /// not count as the first object.
  ///
  /// A release build ignores a second call, and accepts a late first call. A library must not call this
  /// function: the program chooses its monitor.
  ///
  /// - Parameters:
  ///   - monitor: The monitor to install. For several monitors, pass a ``MultiplexCoalescingMonitor``.
  ///   - misuse: The reaction to a late or a second call.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public static func bootstrap(
    _ monitor: @autoclosure () -> any CoalescingMonitor, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let monitor = withoutMonitor(monitor)
    let site = CallSite(fileID: fileID, line: line)
    let flags = simple_events_set_monitoring_flags(isBootstrapped)
    if flags & isBootstrapped != 0 { return misuse.flag(.bootstrappedTwice(at: site)) }
    installed.withLock { $0 = monitor }
    if flags & hasUnwatchedObjects != 0 {
      misuse.flag(.bootstrappedLate(after: firstUnwatched.withLock { $0 }, at: site))
    }
  }

  /// Whether a monitor is to see the objects that the caller creates.
  static var isWatching: Bool {
    let flags = simple_events_monitoring_flags()
    return flags != hasUnwatchedObjects && monitor(flags) != nil
  }

  private static func monitor(_ flags: UInt8) -> (any CoalescingMonitor)? {
    guard !simple_events_is_monitoring() else { return nil }
    return (flags & hasScopes != 0 ? scoped : nil) ?? installed.withLock { $0 }
  }

  /// Records that a task may have its own monitor from now on.
  package static func willScope() { _ = simple_events_set_monitoring_flags(hasScopes) }

  /// Calls a function. Objects that this thread creates during the call are not watched.
  package static func withoutMonitor<Result>(_ body: () -> Result) -> Result {
    let outer = simple_events_set_is_monitoring(true)
    defer { _ = simple_events_set_is_monitoring(outer) }
    return body()
  }

  /// Creates the source of a new object; returns nil if no monitor is to see the object.
  @inline(__always)
  static func makeSource(
    _ subject: @autoclosure () -> DiagnosticSubject, _ policy: CoalescingPolicy? = nil,
    on scheduler: @autoclosure () -> (any EventScheduler)? = nil
  ) -> CoalescingSource? {
    let flags = simple_events_monitoring_flags()
    guard flags != hasUnwatchedObjects else { return nil }
    return makeSource(subject(), policy, on: scheduler(), flags)
  }

  @inline(never)
  private static func makeSource(
    _ subject: DiagnosticSubject, _ policy: CoalescingPolicy?, on scheduler: (any EventScheduler)?,
    _ flags: UInt8
  ) -> CoalescingSource? {
    guard let monitor = monitor(flags) else {
      // An object that a monitor creates does not count as the first unwatched object.
      if !simple_events_is_monitoring() { noteUnwatched(subject) }
      return nil
    }
    return CoalescingSource(subject, policy, on: scheduler, to: monitor)
  }

  private static func noteUnwatched(_ subject: DiagnosticSubject) {
    if isDebugBuild {
      let first = subject.name + subject.origin(", created")
      firstUnwatched.withLock { if $0 == nil { $0 = first } }
    }
    _ = simple_events_set_monitoring_flags(hasUnwatchedObjects)
  }
}
