internal import CPlatform
internal import Dispatch
internal import SimpleEvents

/// A command in a process group of its own.
final class ChildProcess: Sendable {
  private struct State {
    /// Whether the group was asked to end.
    var isEnding: Bool = false
    /// Whether the process was waited for. Its number may then belong to another process; the number of the group is
    /// free only when its last process has ended.
    var isOver: Bool = false
  }

  private let processID: pid_t
  private let group: ProcessGroup
  /// Guards the state. Signals are sent under the lock, so that the process is not reaped between.
  private let state: Guarded<State> = Guarded(State())
  /// Entered while the group is asked to end.
  private let ending: DispatchGroup = DispatchGroup()

  init(processID: pid_t) {
    self.processID = processID
    group = ProcessGroup(leader: processID)
  }

  /// Waits for the end of the process, and for that of its group if it was asked to end; returns its exit status, or
  /// 128 + n if signal n has ended it.
  func wait() -> Int32 {
    var info = unsafe siginfo_t()
    // SAFETY: the call writes one valid element. The process stays waitable.
    while unsafe waitid(P_PID, id_t(processID), &info, WEXITED | WNOWAIT) != 0 && platform_error() == EINTR {}
    var status: Int32 = 0
    state.withLock { state in
      // SAFETY: the call writes one valid element.
      while unsafe waitpid(processID, &status, 0) < 0 && platform_error() == EINTR {}
      state.isOver = true
    }
    ending.wait()
    // As the macros of `sys/wait.h` do, which Swift does not import.
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Sends SIGTERM to the group, and SIGKILL after a time of grace. Returns at once.
  func end(grace: Duration) {
    state.withLock { state in
      if state.isOver || state.isEnding { return }
      state.isEnding = true
      ending.enter()
      group.send(SIGTERM)
      DispatchQueue(label: "coalesce.grace").async { [self] in
        if !isGroupOver(within: grace) {
          group.send(SIGKILL)
          _ = isGroupOver(within: .seconds(1))
        }
        ending.leave()
      }
    }
  }

  /// Sends SIGKILL to the group.
  func endAtOnce() {
    state.withLock { state in
      if state.isOver && !state.isEnding { return }
      group.send(SIGKILL)
    }
  }

  /// Waits until no process is left in the group.
  private func isGroupOver(within time: Duration) -> Bool {
    let deadline = DispatchQueue.main.now.advanced(by: time)
    var pause: UInt32 = 500
    // The kernel does not report the end of a group, so it is asked for.
    while group.isAlive {
      if DispatchQueue.main.now >= deadline { return false }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
    return true
  }
}
