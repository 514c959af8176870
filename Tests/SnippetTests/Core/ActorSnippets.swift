import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

@globalActor actor IndexActor {
  static let shared = IndexActor()
}

@Test func reindexesAfterAPause() {
  let scheduler = TestScheduler()
  let recorder = EventRecorder(on: scheduler)
  let collector = CoalescingCollector<String>(
    on: .actor(IndexActor.shared, clock: scheduler), policy: .debounce(.milliseconds(100)),
    keeping: .newest(1000)
  ) { @IndexActor paths in recorder.record() }
  collector.add("a.swift")
  scheduler.advance(by: .milliseconds(100))
  #expect(recorder.times == [.milliseconds(100)])
}

struct ActorSnippets {
  @Test("Documentation: a collector of a global actor takes virtual time")
  func collector() {
    let scheduler = TestScheduler()
    let log = Log()
    @IndexActor func reindex(_ paths: some Collection<String>) { log.add("\(Array(paths))") }

    let collector = CoalescingCollector<String>(
      on: .actor(IndexActor.shared, clock: scheduler), policy: .debounce(.milliseconds(100)),
      keeping: .newest(1000)
    ) { @IndexActor paths in reindex(paths) }

    collector.add("a.swift")
    scheduler.advance(by: .milliseconds(100))
    #expect(log.entries == ["[\"a.swift\"]"])
  }

  @Test("Documentation: an event delivers on a global queue")
  func globalQueue() async {
    let didScan = LazySimpleEvent(on: .global(qos: .utility))
    var notifications = didScan.notifications.makeAsyncIterator()
    didScan.trigger()
    #expect(await notifications.next() != nil)
  }

  @Test("Documentation: a collector combines its elements")
  func combined() {
    let queue = TestScheduler()
    let log = Log()

    let collector = CoalescingCollector<Int>(on: queue, keeping: .combined { $0 + $1 }) { sum in
      log.add("\(sum.first!) bytes")
    }

    for size in [1, 2, 3] { collector.add(size) }
    queue.advance()
    #expect(log.entries == ["6 bytes"])
  }
}
