// The task of a host as the runs see it: it waits for a run, begins it, and waits again.
extension RefreshRuns {
  /// The task that runs the bodies of a host, and its wait for the next run.
  struct Host {
    var run: RefreshRun
    var wait: CancellableWait = .over
    /// Whether a turn was requested that the task will accept.
    var hasTurn: Bool = false
    /// Whether the task was cancelled.
    var isCancelled: Bool = false
  }

  /// The answer to a task that wants to run the body of a loop.
  package enum Admission: Sendable {
    case host
    /// Another task is the host, or the loop has a body of its own.
    case occupied
    case ended
  }

  /// The next step of a host.
  package enum HostStep: Sendable {
    case run
    case wait
    case end
  }

  /// Makes a task the host, if there is none.
  package func host(_ run: RefreshRun) -> Admission {
    state.withLock { state in
      switch state.mode {
      case .owned, .hosted: return .occupied
      case .ended: return .ended
      case .unhosted(let hasTurn):
        state.mode = .hosted(Host(run: run, hasTurn: hasTurn))
        state.wasHosted = true
        if state.gate.isDue || hasTurn && coalescer.isPending { coalescer.source?.note(.host) }
        return .host
      }
    }
  }

  /// Replaces the task of the host, so that a later cancellation of the old task does not affect the new one.
  package func replaceHost(_ old: RefreshRun, by run: RefreshRun) {
    state.withLock { $0.changeHost(old) { $0 = Host(run: run, hasTurn: $0.hasTurn) } }
  }

  /// Records that a host makes no further run. Pending requests stay for the next host.
  package func leave(_ run: RefreshRun) {
    act { state in
      if let host = state.host, host.run === run { state.mode = .unhosted(hasTurn: host.hasTurn) }
      return nil
    }
  }

  /// Begins the wait of a host for a run.
  package func begin(waitOf run: RefreshRun, _ resume: @escaping CancellableWait.Resume) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      let isDue = state.gate.isDue
      var wait = CancellableWait.new
      if let resumption = wait.begin(resume) { return resumption }
      guard let host = state.host, host.run === run, !isDue && !host.hasTurn else {
        return wait.end(.reached)
      }
      guard !host.isCancelled else { return wait.end(.cancelled) }
      state.changeHost(run) { $0.wait = wait }
      return nil
    }
    resumption?()
  }

  /// Ends the wait of a host whose task was cancelled, even a wait that begins later.
  package func cancel(waitOf run: RefreshRun) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      var resumption: CancellableWait.Resumption?
      state.changeHost(run) { host in
        host.isCancelled = true
        resumption = host.wait.end(.cancelled)
      }
      return resumption
    }
    resumption?()
  }

  /// Lets a host begin a run, if one is due or its turn has come.
  package func beginHosted(_ run: RefreshRun) -> HostStep {
    let isHost = state.withLock { state in
      guard let host = state.host, host.run === run, !host.isCancelled else { return false }
      state.changeHost(run) { $0.hasTurn = false }
      return true
    }
    guard isHost else { return .end }
    return begin(run) ? .run : .wait
  }
}

extension RefreshRuns.State {
  /// The host; nil if there is none.
  var host: RefreshRuns.Host? { if case .hosted(let host) = mode { host } else { nil } }

  /// Changes the host, unless another host has replaced it.
  mutating func changeHost(_ run: RefreshRun, _ change: (inout RefreshRuns.Host) -> Void) {
    guard case .hosted(var host) = mode, host.run === run else { return }
    change(&host)
    mode = .hosted(host)
  }
}
