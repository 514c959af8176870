import TestSupport

/// An independent model of a keyed loop with the next-turn policy: a work queue with a number of workers. It
/// searches plain lists.
struct NaiveWorkQueue {
  var workers: Int
  /// The wait before a failed key is added again, in microseconds; nil if it is not added again.
  var delay: Int?
  /// The runs of each key, in order. The last run is repeated.
  var runs: [String: [RefreshScript.Run]]

  /// Returns the starts and ends of runs in order, for requests at the given milliseconds. Returns nil if two
  /// of these come at one instant: a request, the end of a run, and the end of a wait. The contract does not
  /// define their order.
  func entries(_ requests: [(instant: Int, key: String)]) -> [String]? {
    var requests = requests.map { (instant: 1000 * $0.instant, key: $0.key) }[...]
    var line: [String] = []
    var processing: [(key: String, end: Int, fails: Bool)] = []
    var dirty: Set<String> = []
    var waiting: [(key: String, instant: Int)] = []
    var counts: [String: Int] = [:]
    var entries: [String] = []

    func log(_ key: String, _ what: String, _ instant: Int) {
      entries.append("\(key) \(what) \(RefreshScript.format(instant))")
    }

    func work(_ now: Int) {
      while processing.count < workers, !line.isEmpty {
        let key = line.removeFirst()
        let run = runs[key]![min(counts[key, default: 0], runs[key]!.count - 1)]
        counts[key, default: 0] += 1
        processing.append((key, now + run.microseconds, run.fails))
        log(key, "start", now)
      }
    }

    while true {
      let end = processing.map(\.end).min() ?? .max
      let retry = waiting.map(\.instant).min() ?? .max
      let now = min(requests.first?.instant ?? .max, end, retry)
      if now == .max { return entries }
      let isTie = [requests.first?.instant ?? .max, end, retry].filter { $0 == now }.count > 1
      if isTie { return nil }
      if requests.first?.instant == now {
        // All requests of an instant come before the tasks of the instant.
        while let request = requests.first, request.instant == now {
          requests.removeFirst()
          if processing.contains(where: { $0.key == request.key }) {
            dirty.insert(request.key)
          } else if !line.contains(request.key) && !waiting.contains(where: { $0.key == request.key }) {
            line.append(request.key)
          }
        }
      } else if end == now {
        // All runs that end at an instant come before the runs that start at the instant.
        while let index = processing.firstIndex(where: { $0.end == now }) {
          let run = processing.remove(at: index)
          log(run.key, run.fails ? "fail" : "end", now)
          if run.fails, let delay {
            waiting.append((run.key, now + delay))
          } else if dirty.contains(run.key) {
            line.append(run.key)
          }
          dirty.remove(run.key)
        }
      } else if let index = waiting.firstIndex(where: { $0.instant == now }) {
        line.append(waiting.remove(at: index).key)
      }
      work(now)
    }
  }
}
