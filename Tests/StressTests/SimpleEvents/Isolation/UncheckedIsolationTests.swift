import Dispatch
import SimpleEvents
import TestSupport
import Testing

/// E9: the cases that cannot be flagged. The article *Contracts* lists them.
///
/// Each test calls main-actor code on a background queue. If a later toolchain makes one of these calls
/// detectable, its test fails, and the case moves to `IsolationTests`.
@MainActor
@Suite(.serialized) struct UncheckedIsolationTests {
  private nonisolated let queue = DispatchQueue(label: "background")
  private nonisolated let log = Log()
  private nonisolated let misuses = MisuseLog()

  @Test("E9: a block without isolation that captures a non-Sendable object is not flagged")
  func blockWithoutIsolation() {
    final class Counter {
      var count: Int = 0
    }
    let counter = Counter()
    let callback = Self.callback(on: queue, misuse: misuses.handler) { counter.count += 1 }
    callback.schedule()
    queue.sync {}
    #expect(counter.count == 1)
    #expect(misuses.messages == [])
    withExtendedLifetime(callback) {}
  }

  @Test("E9: a main-actor closure in a lazy property of a Swift 6 class is not flagged")
  func lazyProperty() {
    @MainActor final class Model {
      private nonisolated let log: Log
      private let queue: DispatchQueue
      private let misuse: MisuseHandler
      private(set) lazy var callback = CoalescingCallback(on: queue, misuse: misuse) { [weak self] in
        self?.reload()
      }

      init(on queue: DispatchQueue, misuse: MisuseHandler, log: Log) {
        self.queue = queue
        self.misuse = misuse
        self.log = log
      }

      private func reload() { log.add("called") }
    }
    let model = Model(on: queue, misuse: misuses.handler, log: log)
    model.callback.schedule()
    queue.sync {}
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    withExtendedLifetime(model) {}
  }

  @Test("E9: a main-actor delegate that a background queue calls is not flagged")
  func delegate() {
    @MainActor final class Delegate: SimpleEventObserver {
      private nonisolated let log: Log

      init(_ log: Log) {
        self.log = log
      }

      func simpleEventDidTrigger(_ event: any SimpleEventObservable) { log.add("called") }
    }
    let event = LazySimpleEvent(on: queue, misuse: misuses.handler)
    let delegate = Delegate(log)
    event.addObserver(delegate)
    event.trigger()
    queue.sync {}
    #expect(log.entries == ["called"])
    #expect(misuses.messages == [])
    event.removeObserver(delegate)
  }

  /// Creates a callback in a nonisolated function, so that its closure has no isolation.
  private nonisolated static func callback(
    on queue: DispatchQueue, misuse: MisuseHandler, _ block: @escaping () -> Void
  ) -> CoalescingCallback {
    CoalescingCallback(on: queue, misuse: misuse, block: block)
  }
}
