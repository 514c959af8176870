import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L9 and C9: the limits of a batch loop, and a failed batch that returns to the loop within them.
struct BatchLimitTests {
  private let scheduler = TestScheduler()

  /// Returns the batches of a loop whose first run fails after 10 ms and is retried 10 ms later.
  private func entries(
    _ limit: ElementLimit<Int>, first: [Int], during: [Int] = [], after: [Int] = []
  ) -> [String] {
    let scheduler = TestScheduler()
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = BatchLoop(on: scheduler, keeping: limit, retry: .constant(.milliseconds(10))) {
      try await script.body($0)
    } onError: { _, _ in
    }
    scheduler.at(0) { for element in first { loop.add(element) } }
    scheduler.at(5) { for element in during { loop.add(element) } }
    scheduler.at(15) { loop.add(contentsOf: after) }
    scheduler.run()
    return script.entries.filter { $0.hasPrefix("[") }
  }

  @Test("L9, C9: newest drops the oldest elements, beginning with the retried batch")
  func newest() {
    #expect(entries(.newest(3), first: [1, 2, 3, 4]) == ["[2, 3, 4]-1 0", "[2, 3, 4]-1 20"])
    #expect(
      entries(.newest(3), first: [1, 2], during: [3], after: [4]) == ["[1, 2] 0", "[2, 3, 4]-1 20"])
    #expect(
      entries(.newest(3), first: [1, 2, 3, 4], during: [5, 6], after: [7, 8])
        == ["[2, 3, 4]-1 0", "[6, 7, 8]-5 20"])
  }

  @Test("L9, C9: oldest drops the newer elements for which the retried batch leaves no room")
  func oldest() {
    #expect(
      entries(.oldest(3), first: [1, 2], during: [3, 4, 5, 6], after: [7])
        == ["[1, 2] 0", "[1, 2, 3]-4 20"])
  }

  @Test("L9, C9: unlimited drops nothing")
  func unlimited() {
    #expect(
      entries(.unlimited, first: [1, 2], during: [3, 4], after: [5]) == ["[1, 2] 0", "[1, 2, 3, 4, 5] 20"])
  }

  @Test("L9, C9: distinct keeps the newer of equal elements at the first place, and counts new elements")
  func distinct() {
    struct Version: Sendable {
      var key: String
      var number: Int
    }
    let log = Log()
    let loop = BatchLoop<Version>(
      on: scheduler, keeping: .distinct(3, by: \.key), retry: .constant(.milliseconds(10))
    ) { batch in
      log.add(batch.map { "\($0.key)\($0.number)" }.joined(separator: " ") + " -\(batch.droppedCount)")
      try await scheduler.clock.sleep(for: .milliseconds(10))
      if log.entries.count == 1 { throw RefreshScript.Failure() }
    } onError: { _, _ in
    }
    func add(_ text: String, at instant: Int) {
      scheduler.at(instant) {
        for word in text.split(separator: " ") {
          loop.add(Version(key: String(word.first!), number: Int(word.dropFirst())!))
        }
      }
    }
    add("a1 b1 a2", at: 0)
    add("b2 c1", at: 5)
    add("d1 b3", at: 15)
    scheduler.run()
    #expect(log.entries == ["a2 b1 -0", "a2 b3 c1 -1"])
  }

  @Test("L9, C9: distinct of hashable elements keeps one of several equal elements")
  func distinctHashable() {
    #expect(
      entries(.distinct(4), first: [1, 2, 1], during: [2, 3], after: [1, 4])
        == ["[1, 2] 0", "[1, 2, 3, 4] 20"])
  }

  @Test("L9, C9: combined combines the retried batch with the newer element, in order")
  func combined() {
    // The newer elements are combined to 345 before they are combined with 12.
    #expect(
      entries(.combined { 10 * $0 + $1 }, first: [1, 2], during: [3], after: [4, 5])
        == ["[12] 0", "[\(10 * 12 + 345)] 20"])
  }

  @Test("L9: dropped elements are counted once, in the next batch")
  func droppedCount() {
    let script = RefreshScript(scheduler, [.ms(1)])
    let loop = BatchLoop<Int>(
      on: scheduler, policy: .throttle(.milliseconds(10), edges: .leading), keeping: .newest(2)
    ) { try? await script.body($0) }
    for instant in 0..<25 { scheduler.at(instant) { loop.add(instant) } }
    scheduler.run()
    // The window includes its end.
    #expect(script.entries.filter { $0.hasPrefix("[") } == ["[0] 0", "[11]-10 11", "[22]-10 22"])
  }

  @Test("L9: memory is bounded while a run does not end, and while a batch waits for a retry")
  func memory() {
    final class Element: Sendable {
      let count: Guarded<Int>.Shared
      init(_ count: Guarded<Int>.Shared) {
        self.count = count
        count.value.withLock { $0 += 1 }
      }
      deinit { count.value.withLock { $0 -= 1 } }
    }
    let count = Guarded<Int>.Shared(0)
    var most = 0
    let loop = BatchLoop<Element>(
      on: scheduler, keeping: .newest(10), retry: .constant(.milliseconds(500))
    ) { _ in
      try? await scheduler.clock.sleep(for: .milliseconds(500))
      throw RefreshScript.Failure()
    } onError: { _, _ in
    }
    for _ in 0..<3000 {
      for _ in 0..<3 { loop.add(Element(count)) }
      scheduler.advance(by: .milliseconds(1))
      most = max(most, count.value.withLock { $0 })
    }
    #expect((11...20).contains(most))
    loop.cancel()
    scheduler.advance(by: .milliseconds(500))
    loop.cancel()
    #expect(count.value.withLock { $0 } == 0)
  }
}

extension Guarded where Value == Int {
  /// A guarded number that several objects share.
  fileprivate final class Shared: Sendable {
    let value: Guarded<Int>
    init(_ number: Int) { value = Guarded(number) }
  }
}
