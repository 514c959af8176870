internal import CPlatform
internal import Dispatch
internal import SimpleEvents

/// A running command, and the processes that are ended together with it.
final class ChildProcess: Sendable {
  /// The state of the process that was started.
  private enum Leader {
    case running
    /// The process has exited, but is not reaped, so that its number still identifies the group.
    case held
    /// The process was reaped. Its number may belong to another process.
    case reaped
  }

  /// The state of the processes that are ended together with the command.
  private enum Members {
    case active
    /// SIGTERM was sent to the processes.
    case ending
    case over
  }

  private struct State {
    var leader: Leader = .running
    var members: Members = .active

    /// Whether the number of the process still identifies the process or its group.
    var hasMembers: Bool { leader != .reaped || members == .ending }
  }

  private let processID: pid_t
  /// The process group; nil if the process has none of its own.
  private let group: ProcessGroup?
  private let isHeld: Bool
  private let alarm: Worker
  /// Guards the state. Signals are sent under the lock, so that the process cannot be reaped before they are
  /// sent.
  private let state: Guarded<State> = Guarded(State())
  /// Entered when SIGTERM is sent, and left when the process group has ended.
  private let ending: DispatchGroup = DispatchGroup()

  /// - Parameters:
  ///   - processID: The number of the process. If the process has a group, this is also the number of the
  ///     group.
  ///   - grouping: Whether the process has a group of its own, and when the group is ended.
  ///   - alarm: The thread that checks whether the group has ended.
  init(processID: pid_t, grouping: FilterSettings.Grouping, alarm: Worker) {
    self.processID = processID
    self.alarm = alarm
    group = grouping == .shared ? nil : ProcessGroup(leader: processID)
    isHeld = grouping == .ownAndEnded
  }

  /// Waits until the process has ended, and returns its exit status, or 128 + n if signal n has ended it.
  ///
  /// If SIGTERM was sent to the process group, the call also waits until the group has ended.
  ///
  /// - Parameter needsTerminal: Called each time the process is stopped because it uses the terminal from the
  ///   background.
  func wait(needsTerminal: () -> Void) -> Int32 {
    var change = platform_wait_for_change(processID)
    while change.is_stopped {
      if group != nil && (change.value == SIGTTIN || change.value == SIGTTOU) { needsTerminal() }
      change = platform_wait_for_change(processID)
    }
    state.withLock { state in
      if isHeld && state.members == .active {
        state.leader = .held
      } else {
        reap(&state)
      }
    }
    waitForEnd()
    return change.value
  }

  /// Waits until the processes to which SIGTERM was sent have ended.
  func waitForEnd() { ending.wait() }

  /// Sends SIGTERM now, and SIGKILL after a grace period. Returns immediately.
  ///
  /// - Returns: Whether this call has sent SIGTERM; false if an earlier call did, or the process was reaped.
  @discardableResult func end(grace: Duration) -> Bool {
    let isFirst = state.withLock { state in
      guard state.members == .active && state.leader != .reaped else { return false }
      state.members = .ending
      ending.enter()
      send(SIGTERM)
      // A stopped process handles SIGTERM only when it continues.
      send(SIGCONT)
      return true
    }
    if isFirst { watchEnd(before: alarm.now.advanced(by: grace), pause: .microseconds(500)) }
    return isFirst
  }

  /// Sends SIGKILL.
  func kill() {
    state.withLock { state in
      if state.hasMembers { send(SIGKILL) }
    }
  }

  /// Sends a signal to the group of the command. By default, a command that shares the program's group is
  /// left out, because it receives the signal from the terminal.
  ///
  /// - Parameters:
  ///   - signal: The number of the signal.
  ///   - sharing: Whether the signal is also sent to a command that shares the program's group.
  func sendToGroup(_ signal: Int32, sharing: Bool = false) {
    state.withLock { state in
      if state.hasMembers && (sharing || group != nil) { send(signal) }
    }
  }

  /// Kills the processes that have not ended at a deadline.
  ///
  /// The kernel does not report the end of a group, so the state of the group is polled.
  private func watchEnd(before deadline: EventInstant, pause: Duration, isKilled: Bool = false) {
    let now = alarm.now
    if hasEnded || isKilled && deadline <= now { return finishEnd() }
    if deadline <= now {
      state.withLock { if group != nil || $0.leader != .reaped { send(SIGKILL) } }
      return watchEnd(before: now.advanced(by: .seconds(1)), pause: .microseconds(500), isKilled: true)
    }
    alarm.schedule(at: min(deadline, now.advanced(by: pause))) { [self] in
      watchEnd(before: deadline, pause: min(pause * 2, .milliseconds(50)), isKilled: isKilled)
    }
  }

  /// Whether the command and its group have ended. The group is examined only after the end of the command,
  /// because the examination takes long if the system has many processes.
  private var hasEnded: Bool {
    state.withLock { $0.leader != .running } && group?.isAlive != true
  }

  private func finishEnd() {
    state.withLock { state in
      state.members = .over
      if state.leader == .held { reap(&state) }
    }
    ending.leave()
  }

  private func reap(_ state: inout State) {
    while waitpid(processID, nil, 0) < 0 && platform_error() == EINTR {}
    state.leader = .reaped
  }

  private func send(_ signal: Int32) {
    if let group { group.send(signal) } else { platform_kill(processID, signal) }
  }
}
