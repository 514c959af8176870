import Foundation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

/// Checks the JSON of traces against the document of the trace-event format.
struct TraceJSONTests {
  private struct Slice {
    let name: String
    let start: Double
    let end: Double
    let arguments: [String: Any]
  }

  /// The events of a trace by phase. The initialiser checks the requirements of the format.
  private struct Events {
    var all: [String: [[String: Any]]] = [:]

    init(_ json: String) throws {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any], "\(json)")
      #expect(object["displayTimeUnit"] as? String == "ms")
      let events = try #require(object["traceEvents"] as? [[String: Any]])
      for event in events {
        let phase = try #require(event["ph"] as? String)
        all[phase, default: []].append(event)
        #expect(event["name"] is String && event["pid"] is Int && event["tid"] is Int, "\(event)")
        if phase == "M" {
          #expect(event["args"] is [String: Any], "\(event)")
        } else {
          #expect(event["ts"] is NSNumber && event["cat"] is String, "\(event)")
        }
        switch phase {
        case "M": break
        case "X": #expect((event["dur"] as? Double ?? -1) >= 0 && event["args"] is [String: Any], "\(event)")
        case "s": #expect(event["id"] is Int, "\(event)")
        case "f": #expect(event["id"] is Int && event["bp"] as? String == "e", "\(event)")
        default: Issue.record("an event of an unexpected phase: \(event)")
        }
      }
    }

    /// The names of the tracks, by number.
    var names: [Int: String] {
      var names: [Int: String] = [:]
      for event in all["M"] ?? [] where event["name"] as? String == "thread_name" {
        let name = (event["args"] as? [String: Any])?["name"] as? String
        #expect(names.updateValue(name ?? "", forKey: event["tid"] as? Int ?? 0) == nil)
      }
      return names
    }

    /// The slices of each track in the order of the trace. The keys are the names of the tracks.
    var slices: [String: [Slice]] {
      let names = names
      var slices: [String: [Slice]] = [:]
      for event in all["X"] ?? [] {
        let start = event["ts"] as? Double ?? 0
        slices[names[event["tid"] as? Int ?? 0] ?? "?", default: []].append(
          Slice(
            name: event["name"] as? String ?? "", start: start, end: start + (event["dur"] as? Double ?? 0),
            arguments: event["args"] as? [String: Any] ?? [:]))
      }
      return slices
    }

    /// Checks that the slices of a track do not overlap. Checks that each arrow leads from the beginning of a
    /// slice to the beginning of a later slice.
    func check() throws {
      for (name, slices) in slices {
        for (earlier, later) in zip(slices, slices.dropFirst()) {
          #expect(earlier.end <= later.start + 1e-6, "\(name): \(earlier) and \(later)")
        }
      }
      let starts = all["s"] ?? []
      let ends = all["f"] ?? []
      #expect(Set(starts.map { $0["id"] as? Int }).count == starts.count)
      #expect(starts.map { $0["id"] as? Int } == ends.map { $0["id"] as? Int })
      let slices = slices
      let names = names
      for (event, end) in zip(starts, ends) {
        #expect(event["cat"] as? String == end["cat"] as? String)
        #expect(event["name"] as? String == end["name"] as? String)
        for event in [event, end] {
          let time = event["ts"] as? Double
          let track = slices[names[event["tid"] as? Int ?? 0] ?? "?"] ?? []
          #expect(track.contains { $0.start == time }, "\(event)")
        }
        #expect(try #require(event["ts"] as? Double) <= #require(end["ts"] as? Double))
      }
    }
  }

  private let scheduler = TestScheduler()

  @Test("CoalescingTrace: the JSON of a trace without deliveries has no events")
  func empty() throws {
    #expect(try Events(CoalescingTrace(capacity: 1).json).all.isEmpty)
  }

  @Test("CoalescingTrace: the JSON has two tracks for each source, and all deliveries")
  func tracks() throws {
    let trace = CoalescingTrace(capacity: 100)
    let (event, log) = withCoalescingMonitor(trace) {
      (
        LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)), label: "title"),
        CoalescingCollector<Int>(on: scheduler, keeping: .newest(2), label: "log") { @Sendable _ in }
      )
    }
    scheduler.advance(by: .nanoseconds(1_234_567))
    event.trigger()
    scheduler.advance(by: .milliseconds(40))
    event.trigger()
    log.add(contentsOf: 1...5)
    scheduler.advance(by: .seconds(1))
    let events = try Events(trace.json)
    try events.check()
    let slices = events.slices
    #expect(
      Set(events.names.values) == [
        #"LazySimpleEvent "title" pending"#, #"LazySimpleEvent "title" deliveries"#,
        #"CoalescingCollector<Int> "log" pending"#, #"CoalescingCollector<Int> "log" deliveries"#,
      ])
    let pending = try #require(slices[#"LazySimpleEvent "title" pending"#])
    #expect(pending.map(\.start) == [1234.567])
    #expect(pending.map(\.end) == [141_234.567])
    let title = try #require(slices[#"LazySimpleEvent "title" deliveries"#]?.first)
    #expect(title.name == #"LazySimpleEvent "title""#)
    #expect(title.start == 141_234.567)
    #expect(title.arguments["signals"] as? Int == 2)
    #expect(title.arguments["cause"] as? String == "deadline")
    #expect(title.arguments["latency"] as? Double == 140_000)
    #expect(title.arguments["error"] == nil)
    let batch = try #require(slices[#"CoalescingCollector<Int> "log" deliveries"#]?.first)
    #expect(batch.arguments["dropped"] as? Int == 3)
    #expect(batch.arguments["cause"] as? String == "turn")
  }

  @Test("CoalescingTrace: each scheduler is a process in the JSON")
  func processes() throws {
    let trace = CoalescingTrace(capacity: 100)
    try scheduler.run {
      await withCoalescingMonitor(trace) {
        for label in ["a", "b"] {
          let event = SimpleEvent(label: label)
          var iterator = event.notifications.makeAsyncIterator()
          event.trigger()
          await iterator.next()
        }
      }
    }
    withCoalescingMonitor(trace) {
      let callback = CoalescingCallback(on: scheduler, label: "c") { @Sendable in }
      callback.schedule()
      scheduler.run()
    }
    let events = try Events(trace.json)
    let metadata = events.all["M"] ?? []
    let processes = metadata.filter { $0["name"] as? String == "process_name" }
    #expect(processes.compactMap { $0["pid"] as? Int } == [1, 2])
    let names = processes.compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
    #expect(names == ["TestScheduler", "without a scheduler"])
    #expect((events.all["X"] ?? []).compactMap { $0["pid"] as? Int } == [1, 1, 2, 2, 2, 2])
    let order = metadata.filter { $0["name"] as? String == "thread_sort_index" }
    #expect(order.count == 6)
    for event in order {
      #expect((event["args"] as? [String: Any])?["sort_index"] as? Int == event["tid"] as? Int)
    }
  }

  @Test(
    "CoalescingTrace: names are escaped in the JSON",
    arguments: ["a \"quoted\" \\ name", "line\nand\ttab\r\u{0}\u{1f}", "Größe 🧭 \u{2028}", "", "</script>"])
  func escaping(_ label: String) throws {
    let trace = CoalescingTrace(capacity: 1)
    withCoalescingMonitor(trace) {
      let event = LazySimpleEvent(on: scheduler, label: label)
      event.trigger()
      event.flush()
    }
    let names = try Events(trace.json).names.values.sorted()
    #expect(names == ["LazySimpleEvent \"\(label)\" deliveries", "LazySimpleEvent \"\(label)\" pending"])
  }

  @Test("CoalescingTrace: the JSON has the errors of runs, and a retry has no pending time")
  func errors() throws {
    struct Failure: Error, CustomStringConvertible {
      var description: String { "the disk is \"full\"" }
    }
    let trace = CoalescingTrace(capacity: 100)
    let scheduler = scheduler
    let retry = { @Sendable (failures: Int, _: any Error) -> Duration? in
      failures == 1 ? .milliseconds(10) : nil
    }
    try scheduler.run {
      let loop = withCoalescingMonitor(trace) {
        RefreshLoop(on: scheduler, retry: .custom(retry), label: "index") {
          throw Failure()
        } onError: { _ in
        }
      }
      loop.request()
      await loop.settle()
    }
    let events = try Events(trace.json)
    try events.check()
    let slices = events.slices
    let runs = try #require(slices[#"RefreshLoop "index" deliveries"#])
    let error = #"the disk is "full""#
    #expect(runs.map { $0.arguments["error"] as? String } == [error, error])
    #expect(runs.map { $0.arguments["cause"] as? String } == ["turn", "retry"])
    #expect(runs.map { $0.arguments["signals"] as? Int } == [1, 0])
    #expect(slices[#"RefreshLoop "index" pending"#]?.count == 1)
  }

  @Test("CoalescingTrace: slices of one track do not overlap in the JSON, whatever the policy")
  func nesting() throws {
    let trace = CoalescingTrace(capacity: 10_000)
    var random = SeededGenerator(seed: 7)
    let policies: [CoalescingPolicy] = [
      .nextTurn, .throttle(.milliseconds(5)), .debounce(.milliseconds(3), edges: [.leading, .trailing]),
      .audit(.milliseconds(4)),
    ]
    let scheduler = scheduler
    let callbacks = withCoalescingMonitor(trace) {
      policies.map { policy in
        CoalescingCallback(on: scheduler, policy: policy, label: "\(policy)") {
          @Sendable in
        }
      }
    }
    for _ in 1...500 {
      scheduler.advance(by: .microseconds(Int.random(in: 0...3000, using: &random)))
      let callback = callbacks.randomElement(using: &random)
      callback?.schedule()
      if Int.random(in: 0..<10, using: &random) == 0 { callback?.flush() }
    }
    let events = try Events(trace.json)
    try events.check()
    #expect(events.slices.values.flatMap(\.self).count == trace.deliveries.count * 2)
    #expect(trace.deliveries.count > 100)
  }
}
