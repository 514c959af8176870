internal import SimpleEvents

extension LoopRuns {
  /// The description of the loop: its name, the run in progress, the pending requests, and the failures in a
  /// row that were retried. A monitor adds times and the number of requests.
  ///
  /// - Parameter elements: The number of elements that are pending; nil for a loop without elements.
  func description(pending elements: Int? = nil) -> String {
    let statistics = coalescer.source?.statistics
    let (gate, state, isPending) = read { ($0, $1, self.isPending($0)) }
    var words = [subject.name]
    if state.mode.hasEnded { words.append("ended") }
    if state.mode.isUnhosted { words.append("without a host") }
    if gate.isRunning { words.append("running\(statistics?.time(since: \.runningSince) ?? "")") }
    if gate.isWaiting { words.append("waiting for a retry") }
    if isPending || elements != nil {
      let requests = statistics.flatMap { $0.pendingSignals > 0 ? $0.pendingSignals : nil }
      let what = elements.map { counted($0, "element") } ?? requests.map { counted($0, "request") }
      let time = gate.isRunning ? "" : statistics?.time(since: \.pendingSince) ?? ""
      words.append("\(what.map { "\($0) " } ?? "")pending\(time)")
    }
    switch state.failures {
    case 0: break
    case 1: words.append("failed once")
    case 2: words.append("failed twice")
    default: words.append("failed \(state.failures) times")
    }
    return words.joined(separator: ", ")
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
