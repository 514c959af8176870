import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "Ending and cancelling". A line that ends in "hidden" is not part of the text.

private enum Article {
  actor MetricsUploader {
    private let samples: BatchLoop<Int>
    private let clock: SchedulerClock
    private let upload: @Sendable ([Int]) async throws -> Void

    init(
      on scheduler: some EventScheduler = .main, upload: @escaping @Sendable ([Int]) async throws -> Void
    ) {
      clock = SchedulerClock(scheduler)
      self.upload = upload
      samples = BatchLoop(
        on: scheduler, policy: .audit(.seconds(10)), keeping: .newest(10_000),
        retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)), label: "metrics")
    }

    nonisolated func record(_ sample: Int) { samples.add(sample) }

    func run() async {
      await samples.run { batch in
        try await self.upload(Array(batch))
      } onError: { error, batch in
        print("\(batch.count) samples are not uploaded: \(error)")
      }
    }

    nonisolated func shutDown(within time: Duration) async {
      samples.flush()  // does not wait for the end of the window
      let deadline = Task {
        try await clock.sleep(for: time)
        await samples.stop(cancelling: true)
      }
      await samples.settle()  // a batch that fails is retried
      await samples.finish()
      deadline.cancel()
    }
  }

  final class Model {
    private let _didChange: LazySimpleEvent
    var didChange: any SimpleEventObservable { _didChange }
    init(on scheduler: some EventScheduler) { _didChange = LazySimpleEvent(on: scheduler) }
  }

  final class View {
    private var didChange: (any SimpleEventToken)?
    init(_ model: Model) {
      model.didChange.addObserver(&didChange) { [weak self] _ in self?.update() }
    }
    private func update() {}
  }

  final class LeakedView {
    private var didChange: (any SimpleEventToken)?
    init(_ model: Model) {
      model.didChange.addObserver(&didChange) { _ in self.update() }
    }
    func remove() { didChange?.remove() }
    private func update() {}
  }
}

private struct Unreachable: Error {}

struct EndingSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  @Test("Documentation: a service uploads the queued samples before it ends")
  func finish() throws {
    try scheduler.run { [scheduler, log] in
      let uploader = Article.MetricsUploader(on: scheduler) { log.add("\($0)") }
      let uploading = Task { await uploader.run() }
      uploader.record(1)
      uploader.record(2)
      await uploader.shutDown(within: .seconds(5))
      uploader.record(3)
      await uploading.value
    }
    #expect(log.entries == ["[1, 2]"])
    #expect(scheduler.elapsed == .zero)
  }

  @Test("Documentation: a service retries the last batch until its deadline", arguments: [3, 100])
  func retry(failures: Int) throws {
    try scheduler.run { [scheduler, log] in
      let uploader = Article.MetricsUploader(on: scheduler) { samples in
        log.add("\(scheduler.elapsed.components.seconds)s")
        if log.entries.count <= failures { throw Unreachable() }
        log.add("\(samples)")
      }
      let uploading = Task { await uploader.run() }
      uploader.record(1)
      await uploader.shutDown(within: .seconds(10))
      await uploading.value
    }
    #expect(log.entries == ["0s", "1s", "3s", "7s"] + (failures == 3 ? ["[1]"] : []))
    #expect(scheduler.elapsed == .seconds(failures == 3 ? 7 : 10))
  }

  @Test("Documentation: a service that hangs ends at its deadline")
  func deadline() throws {
    try scheduler.run { [scheduler, log] in
      let uploader = Article.MetricsUploader(on: scheduler) { _ in
        do {
          try await scheduler.clock.sleep(for: .seconds(3600))
        } catch {
          log.add("cancelled")
          throw error
        }
      }
      let uploading = Task { await uploader.run() }
      uploader.record(1)
      try await scheduler.clock.sleep(for: .seconds(1))
      await uploader.shutDown(within: .seconds(5))
      await uploading.value
    }
    #expect(log.entries == ["cancelled"])
    #expect(scheduler.elapsed == .seconds(6))
  }

  @Test("Documentation: a host that is cancelled first leaves the samples to the next host")
  func wrongOrder() throws {
    try scheduler.run { [scheduler, log] in
      let uploader = Article.MetricsUploader(on: scheduler) { log.add("\($0)") }
      let uploading = Task { await uploader.run() }
      uploader.record(1)
      uploading.cancel()
      await uploading.value
      await uploader.shutDown(within: .seconds(5))
    }
    #expect(log.entries == [])
  }

  @Test("Documentation: a run continues after the deallocation of its loop")
  func deallocation() throws {
    try scheduler.run { [scheduler, log] in
      var loop: RefreshLoop? = RefreshLoop(on: scheduler) {
        try? await scheduler.clock.sleep(for: .seconds(1))
        log.add("end, cancelled: \(Task.isCancelled)")
      }
      loop?.request()
      try await scheduler.clock.sleep(for: .milliseconds(500))
      loop?.request()
      loop = nil
      try await scheduler.clock.sleep(for: .seconds(10))
    }
    #expect(log.entries == ["end, cancelled: false"])
  }

  @Test("Documentation: cancel drops the pending delivery, and the next signal is delivered")
  func cancel() {
    let log = log
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .audit(.seconds(1)), keeping: .unlimited
    ) { log.add("\(Array($0))") }
    collector.add(1)
    collector.cancel()
    collector.add(2)
    scheduler.advance(by: .milliseconds(500))
    collector.flush()
    collector.add(3)
    scheduler.advance(by: .seconds(1))
    #expect(log.entries == ["[2]", "[3]"])
  }

  @Test("Documentation: a cycle in progress reaches all observers after a cancel")
  func cancelDuringDelivery() {
    let log = log
    let event = LazySimpleEvent(on: scheduler)
    let first = event.addObserver { [weak event] _ in
      log.add("first")
      event?.trigger()
      event?.cancel()
    }
    let second = event.addObserver { _ in log.add("second") }
    event.trigger()
    scheduler.run()
    #expect(log.entries == ["first", "second"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("Documentation: a proxy that was removed ignores triggers")
  func remove() {
    let event = LazySimpleEvent(on: scheduler)
    let proxy = SimpleEventProxy(of: event, on: scheduler)
    let recorder = EventRecorder(proxy, on: scheduler)
    event.trigger()
    proxy.remove()
    proxy.trigger()
    scheduler.run()
    #expect(recorder.count == 0)
  }

  @Test("Documentation: a mailbox keeps a value for the next task after a cancellation")
  func mailbox() throws {
    let values = try scheduler.run {
      let box = SimpleMailbox<Int>()
      let first = Task { await box.next() }
      await Task.yield()
      first.cancel()
      let cancelled = await first.value
      box.replace(7)
      return [cancelled, await box.next()]
    }
    #expect(values == [nil, 7])
  }

  @Test("Documentation: a view is released while its model lives")
  func isReleased() {
    typealias Model = Article.Model
    typealias View = Article.View
    let scheduler = TestScheduler()
    let model = Model(on: scheduler)
    var view: View? = View(model)
    weak let released = view
    view = nil
    #expect(released == nil)
    #expect("\(model.didChange)".hasSuffix("0 observers"))
  }

  @Test("Documentation: a view whose block uses it strongly lives as long as its model")
  func isLeaked() {
    let model = Article.Model(on: scheduler)
    var view: Article.LeakedView? = Article.LeakedView(model)
    weak let leaked = view
    view = nil
    #expect(leaked != nil)
    leaked?.remove()
    #expect(leaked == nil)
  }
}
