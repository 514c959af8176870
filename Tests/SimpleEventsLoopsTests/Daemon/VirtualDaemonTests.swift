import Observation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// The daemon in virtual time, with a directory in memory.
struct VirtualDaemonTests {
  /// The observable course of one life of the daemon.
  private struct Course: Equatable {
    var starts: [Int]
    var end: Int
    var index: [String: Int]
    var files: [String: Int]
    var scans: Int
    var errors: Int
    var overlaps: Int
  }

  @Test("L1 to L6: a daemon misses no change, scans at most once in 100 ms, and stops after a last scan")
  func lives() throws {
    for seed in Stress.seeds(1000) {
      let course = try live(seed)
      #expect(course.index == course.files, "seed \(seed)")
      #expect(course.overlaps == 0, "seed \(seed)")
      #expect(course.scans <= 2 + course.end / 100, "seed \(seed)")
      let pauses = zip(course.starts.dropFirst(), course.starts).map { $0 - $1 }
      #expect(pauses.allSatisfy { $0 >= 100 }, "seed \(seed): \(course.starts)")
      if seed % 10 == 0 {
        #expect(try live(seed) == course, "seed \(seed): another run of the same life")
      }
    }
  }

  @Observable fileprivate final class Configuration {
    var depth: Int = 0
  }

  /// Runs a daemon from its start to its end, in the time of a new scheduler.
  private func live(_ seed: UInt64) throws -> Course {
    let scheduler = TestScheduler()
    return try scheduler.run {
      let directory = FakeDirectory(on: scheduler, seed: seed)
      let daemon = IndexDaemon(directory, on: scheduler)
      let mounted = LazySimpleEvent(on: scheduler, policy: .throttle(.milliseconds(30)))
      let restored = LazySimpleEvent(on: scheduler)
      let imported = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(20)))
      let events = [mounted, restored, imported]
      let configuration = Configuration()
      let didConfigure = ObservationEvent(on: scheduler) { _ = configuration.depth }
      await daemon.start(observing: events + [didConfigure])

      var random = SeededGenerator(seed: seed ^ 0x5eed)
      for _ in 0..<16 {
        try await scheduler.clock.sleep(for: .milliseconds(Int.random(in: 0...40, using: &random)))
        directory.touch("\(Int.random(in: 0..<20, using: &random))")
        let cause = Int.random(in: 0..<6, using: &random)
        if cause < events.count {
          events[cause].trigger()
        } else if cause == events.count {
          configuration.depth += 1
        } else {
          Task { await daemon.directoryDidChange() }
        }
      }
      await daemon.stop()
      return Course(
        starts: directory.starts, end: scheduler.milliseconds, index: await daemon.index,
        files: directory.files,
        scans: await daemon.scans, errors: await daemon.errors, overlaps: await daemon.overlaps)
    }
  }
}
