internal import SimpleEvents

extension LoopRuns {
  /// The description of the loop: its name, its end, the run in progress, the pending requests, and the
  /// failures in a row that were retried. If a monitor sees the loop, the description contains times and the
  /// number of requests.
  ///
  /// - Parameter elements: The number of pending elements; nil if there are none, and for a loop without
  ///   elements.
  func description(pending elements: Int? = nil) -> String {
    let statistics = coalescer.source?.statistics
    let (gate, state, isPending) = read { ($0, $1, self.isPending($0)) }
    var words = [subject.name]
    words += state.loop.words
    if gate.isRunning { words.append("running\(statistics?.time(since: \.runningSince) ?? "")") }
    if gate.isWaiting { words.append("waiting for a retry") }
    if isPending || elements != nil {
      let requests = statistics.flatMap { $0.pendingSignalCount > 0 ? $0.pendingSignalCount : nil }
      let what = elements.map { counted($0, "element") } ?? requests.map { counted($0, "request") }
      let time = gate.isRunning ? "" : statistics?.time(since: \.pendingSince) ?? ""
      words.append("\(what.map { "\($0) " } ?? "")pending\(time)")
    }
    switch state.runs.failures {
    case 0: break
    case 1: words.append("failed once")
    case 2: words.append("failed twice")
    default: words.append("failed \(state.runs.failures) times")
    }
    return words.joined(separator: ", ")
  }
}

extension LoopState {
  /// The end and the missing host of the loop, for a description.
  fileprivate var words: [String] {
    (hasEnded ? ["ended"] : isFinishing ? ["closed"] : []) + (isUnhosted ? ["without a host"] : [])
  }
}

extension RefreshLoop: CustomStringConvertible {
  /// The type and the label, the run in progress, the pending requests, and the failures in a row that were
  /// retried.
  public var description: String { runs.description() }
}

extension BatchLoop: CustomStringConvertible {
  /// The type and the label, the run in progress, the number of pending elements, and the failures in a row
  /// that were retried.
  public var description: String {
    let count = count
    return runs.description(pending: count > 0 ? count : nil)
  }
}

extension KeyedRuns: CustomStringConvertible {
  /// The description of the loop: its name, and the numbers of running, pending and failing keys. If a
  /// monitor sees the loop, the description contains the times of the first keys.
  @usableFromInline package var description: String {
    let statistics = keys.source?.statistics
    let (pending, failing, loop, running) = read {
      ($0.pendingCount, $0.failingCount, $1.loop, $1.running.count)
    }
    var words = [subject.name]
    func add(_ count: Int, _ state: String, since instant: KeyPath<CoalescingStatistics, EventInstant?>) {
      let time = statistics?.time(since: instant) ?? ""
      if count > 0 {
        words.append(
          "\(counted(count, "key")) \(state)\(count > 1 && time != "" ? ", the first" : "")\(time)")
      }
    }
    words += loop.words
    add(running, "running", since: \.runningSince)
    add(pending, "pending", since: \.pendingSince)
    if failing > 0 { words.append("\(counted(failing, "key")) failing") }
    return words.joined(separator: ", ")
  }
}
