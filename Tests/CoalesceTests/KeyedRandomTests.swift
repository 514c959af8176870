import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing
import coalesce

/// Random lines with random options, in virtual time.
struct KeyedRandomTests {
  /// The deliveries of a program: a list of batches for each key, and the largest number of deliveries at the
  /// same time.
  private struct Record {
    var lines: [String: [String]] = [:]
    var running: [String: Int] = [:]
    var mostRunning: Int = 0
    var mostOfOneKey: Int = 0
    var starts: [Int] = []
  }

  @Test("--by: each line is in one delivery of its key, in order, within --jobs and --rate")
  func programs() throws {
    for seed in Stress.seeds(1000) {
      var random = SeededGenerator(seed: seed)
      let policy = ["--next-turn", "--debounce 20ms", "--throttle 30ms", "--audit 10ms"].randomElement(
        using: &random)!
      let busy = ["rerun", "restart", "ignore"].randomElement(using: &random)!
      let jobs = Int.random(in: 1...3, using: &random)
      let isLimited = Bool.random(using: &random)
      let options =
        "--by 1 --stdin \(policy) --when-busy \(busy) --jobs \(jobs)\(isLimited ? " --rate 1/15ms" : "")"
      let record = Guarded(Record())
      let scheduler = TestScheduler()
      guard
        case .filter(let settings) = try Invocation.parse(
          options.split(separator: " ").map(String.init) + ["--", "true"])
      else {
        throw UsageError("no filter")
      }
      let durations = (0..<10).map { _ in Int.random(in: 0...40, using: &random) }
      let deliveries = KeyedDeliveries(settings, by: settings.key!, on: scheduler, label: "test") {
        key, batch in
        let key = String(decoding: key.bytes, as: UTF8.self)
        let number = record.withLock { record in
          record.lines[key, default: []] += String(decoding: batch.lines, as: UTF8.self).split(
            separator: "\n"
          ).map(String.init)
          record.running[key, default: 0] += 1
          record.mostOfOneKey = max(record.mostOfOneKey, record.running[key]!)
          record.mostRunning = max(record.mostRunning, record.running.values.reduce(0, +))
          record.starts.append(scheduler.milliseconds)
          return record.starts.count
        }
        try? await scheduler.clock.sleep(for: .milliseconds(durations[number % durations.count]))
        record.withLock { $0.running[key]! -= 1 }
      }
      var sent: [String: [String]] = [:]
      var instant = 0
      for number in 0..<Int.random(in: 1...40, using: &random) {
        if Bool.random(using: &random) { instant += Int.random(in: 0...40, using: &random) }
        let key = ["a", "b", "c", "d"].randomElement(using: &random)!
        let line = "\(key) \(number)"
        sent[key, default: []].append(line)
        scheduler.at(instant) {
          _ = deliveries.add { add in add(Array(line.utf8)[...], false, 1) }
        }
      }
      let isFinished = Bool.random(using: &random)
      if isFinished {
        try scheduler.run {
          try await scheduler.clock.sleep(for: .milliseconds(instant))
          await deliveries.finish()
        }
      } else {
        scheduler.run()
      }
      var result = record.withLock { $0 }
      for (key, batch) in deliveries.lines.end() {
        // Only a delivery that is due during a run is ignored.
        #expect(busy == "ignore", "seed \(seed): \(options)")
        let key = String(decoding: key.bytes, as: UTF8.self)
        result.lines[key, default: []] += String(decoding: batch.lines, as: UTF8.self).split(separator: "\n")
          .map(String.init)
      }
      #expect(result.lines == sent, "seed \(seed): \(options)")
      #expect(result.mostOfOneKey == 1 && result.mostRunning <= jobs, "seed \(seed): \(options)")
      if isLimited {
        let distances = zip(result.starts.dropFirst(), result.starts).map { $0 - $1 }
        #expect(distances.allSatisfy { $0 >= 15 }, "seed \(seed): \(options)")
      }
    }
  }
}
