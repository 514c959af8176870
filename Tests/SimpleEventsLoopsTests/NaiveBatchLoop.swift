import SimpleEvents
import TestSupport
import SimpleEventsLoops

/// An independent model of a batch loop, based on the deliveries of the naive model of policies.
///
/// Elements are added at whole milliseconds. Each run takes a number of milliseconds plus one microsecond, so
/// that no run ends or is retried at the instant of an addition or a delivery.
struct NaiveBatchLoop {
  enum Rule: CaseIterable {
    case newest
    case oldest
    case distinct
    case unlimited
  }

  var policy: NaiveModel.Policy
  var rule: Rule
  var limit: Int
  /// The wait after a failure, in milliseconds; nil if a batch is not retried.
  var retry: Int?
  /// The runs, in order. The last run is repeated.
  var runs: [RefreshScript.Run]

  /// The elements within the limit, and the number of elements that were dropped.
  private struct Elements {
    var elements: [CollectorElement] = []
    var dropped: Int = 0
  }

  /// Returns the expected entries if elements with the given keys are added at the given milliseconds. The
  /// entries include the serial numbers of the dropped elements.
  func entries(_ additions: [(tick: Int, key: Int)], until end: Int) -> [String] {
    var inputs = additions.map { (tick: $0.tick, input: NaiveModel.Input.signal) }
    var model = NaiveModel(policy: policy).run(inputs, until: end)
    var deliveries = model.deliveries.map { $0 * 1000 }[...]
    var coming = Array(additions.enumerated())[...]
    var entries: [String] = []
    var count = 0
    var (back, waiting) = (Elements?.none, Elements())
    var current: (run: RefreshScript.Run, end: Int, batch: Elements)?
    var retryAt: Int?
    var isNextDue = false
    var dropped: [Int] = []

    func collect(until instant: Int) {
      while let next = coming.first, next.element.tick * 1000 <= instant {
        coming.removeFirst()
        insert(CollectorElement(key: next.element.key, serial: next.offset), into: &waiting, &dropped)
      }
    }

    func start(_ instant: Int) {
      collect(until: instant)
      guard back != nil || !waiting.elements.isEmpty else { return }
      var batch = back ?? Elements()
      waiting.elements.forEach { insert($0, into: &batch, &dropped) }
      batch.dropped += waiting.dropped
      (back, waiting, isNextDue) = (nil, Elements(), false)
      let run = runs[min(count, runs.count - 1)]
      count += 1
      current = (run, instant + run.microseconds, batch)
      entries.append("\(batch.elements)-\(batch.dropped) \(RefreshScript.format(instant))")
    }

    func finish(_ run: RefreshScript.Run, _ batch: Elements, _ instant: Int) {
      entries.append("\(run.fails ? "fail" : "end") \(RefreshScript.format(instant))")
      current = nil
      if run.fails, let retry {
        back = batch
        retryAt = instant + retry * 1000
      } else if isNextDue && !model.isPending[min(instant / 1000, end)] {
        start(instant)
      }
      isNextDue = false
    }

    /// Drops the pending delivery, because its elements join the retry (L8).
    func join(_ instant: Int) {
      let tick = instant / 1000
      guard tick < end, model.isPending[tick] else { return }
      // The cancellation is placed after the signals of this tick and before the signals of the next tick.
      inputs.insert((tick + 1, .cancel), at: inputs.firstIndex { $0.tick > tick } ?? inputs.count)
      model = NaiveModel(policy: policy).run(inputs, until: end)
      deliveries = model.deliveries.map { $0 * 1000 }.filter { $0 > instant }[...]
    }

    while true {
      let delivery = deliveries.first
      if let running = current, running.end < delivery ?? .max {
        finish(running.run, running.batch, running.end)
      } else if let instant = retryAt, instant < delivery ?? .max {
        retryAt = nil
        join(instant)
        start(instant)
      } else if let delivery {
        deliveries.removeFirst()
        if current != nil { isNextDue = true } else if retryAt == nil { start(delivery) }
      } else {
        return entries + ["dropped \(dropped.sorted())"]
      }
    }
  }

  private func insert(_ element: CollectorElement, into list: inout Elements, _ dropped: inout [Int]) {
    if rule == .distinct, let place = list.elements.firstIndex(where: { $0.key == element.key }) {
      list.elements[place] = element
      return
    }
    list.elements.append(element)
    guard rule != .unlimited && list.elements.count > limit else { return }
    dropped.append(list.elements.remove(at: rule == .newest ? 0 : limit).serial)
    list.dropped += 1
  }
}
