import SimpleEvents
import TestSupport
import SimpleEventsLoops

/// An independent model of a refresh loop: the deliveries of the naive model, and the runs that follow from
/// them.
///
/// Deliveries come at whole milliseconds. Runs that are not cancelled take a number of milliseconds plus one
/// microsecond, so that they never end at the instant of a delivery.
struct NaiveLoop {
  var policy: NaiveModel.Policy
  var whenBusy: RefreshLoop.WhenBusy
  /// The runs, in order. The last run is repeated.
  var runs: [RefreshScript.Run]

  /// Returns the expected record of the script, for requests at the given milliseconds.
  func entries(requests: [Int], until end: Int) -> [String] {
    let model = NaiveModel(policy: policy).run(requests.map { ($0, .signal) }, until: end)
    var deliveries = model.deliveries.map { $0 * 1000 }[...]
    var entries: [String] = []
    var count = 0
    var current: (run: RefreshScript.Run, end: Int)?
    var isNextDue = false
    var isCancelled = false

    func start(_ instant: Int) {
      let run = runs[min(count, runs.count - 1)]
      count += 1
      current = (run, instant + run.microseconds)
      isNextDue = false
      isCancelled = false
      entries.append("start \(RefreshScript.format(instant))")
    }

    func finish(_ outcome: String, _ instant: Int) {
      entries.append("\(outcome) \(RefreshScript.format(instant))")
      if outcome == "fail" { entries.append("Failure() \(RefreshScript.format(instant))") }
      current = nil
      let isJoined = whenBusy == .rerun && model.isPending[min(instant / 1000, end)]
      if isNextDue && !isJoined { start(instant) }
      isNextDue = false
    }

    while current != nil || !deliveries.isEmpty {
      if let running = current, running.end < deliveries.first ?? .max {
        finish(running.run.fails ? "fail" : "end", running.end)
        continue
      }
      let delivery = deliveries.removeFirst()
      guard let running = current else {
        start(delivery)
        continue
      }
      isNextDue = whenBusy != .ignore
      if whenBusy == .restart && !isCancelled {
        isCancelled = true
        if running.run.heedsCancellation { finish("cancelled", delivery) }
      }
    }
    return entries
  }
}
