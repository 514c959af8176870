import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// W2 and W3 on real queues and threads.
@Suite(.serialized) struct MonitorStressTests {
  /// The objects that the threads signal. They are replaced all the time.
  private final class Objects: Sendable {
    private let slots: [Shared<(any Signalled)?>] = (0..<100).map { _ in Shared(nil) }
    private let queue: DispatchQueue = DispatchQueue(label: "objects")

    /// Replaces an object. The old one is deallocated with its pending signals.
    func renew(_ index: Int, _ random: inout SeededGenerator) {
      let policies: [CoalescingPolicy] = [
        .nextTurn, .debounce(.microseconds(50)), .throttle(.microseconds(20)), .audit(.microseconds(10)),
      ]
      let policy = policies.randomElement(using: &random)!
      slots[index].value =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: LazySimpleEvent(on: queue, policy: policy)
        case 1: CoalescingCallback(on: queue, policy: policy) {}
        case 2: CoalescingCollector<Int>(on: queue, policy: policy, keeping: .newest(3)) { _ in }
        default: RefreshLoop(on: queue, policy: policy) { await Task.yield() }
        }
    }

    func use(_ random: inout SeededGenerator) {
      let index = Int.random(in: 0..<slots.count, using: &random)
      guard let object = slots[index].value else { return }
      switch Int.random(in: 0..<40, using: &random) {
      case 0: object.cancel()
      case 1: renew(index, &random)
      default: object.signal()
      }
    }

    func removeAll() { for slot in slots { slot.value = nil } }

    /// Waits until the queued turns have run.
    func drain() { queue.sync {} }
  }

  @Test("W2: in a storm of four threads on objects that are replaced, every signal is counted once")
  func storm() async {
    let log = MonitorLog()
    let objects = Objects()
    await withCoalescingMonitor(log) {
      await withTaskGroup { group in
        for thread in 0..<4 {
          group.addTask {
            var random = SeededGenerator(seed: UInt64(thread))
            for index in 0..<100 where index % 4 == thread { objects.renew(index, &random) }
            for _ in 0..<Stress.rounds(200_000) { objects.use(&random) }
          }
        }
        group.addTask {
          for _ in 0..<Stress.rounds(2000) {
            for record in log.records.suffix(100) {
              let statistics = record.source.statistics
              #expect(
                statistics.signalCount == statistics.deliveredSignalCount + statistics.discardedSignalCount
                  + statistics.runningSignalCount + statistics.pendingSignalCount)
            }
            await Task.yield()
          }
        }
      }
    }
    objects.removeAll()
    // The runs in progress end, and then their loops end.
    while log.records.contains(where: { $0.unsent == nil }) {
      objects.drain()
      await Task.yield()
    }
    #expect(log.faults == [])
    #expect(log.records.allSatisfy { $0.signals == $0.source.statistics.signalCount })
    #expect(log.records.contains { $0.unsent! > 0 } && log.records.contains { $0.discarded > 0 })
  }

  @Test("W3: a monitor that blocks delays only its own delivery, and no signal or other object")
  func blocks() {
    let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let monitor = BlockingMonitor(isInside, mayLeave)
    let (event, other) = withCoalescingMonitor(monitor) {
      (
        LazySimpleEvent(on: DispatchQueue(label: "blocked"), label: "blocked"),
        LazySimpleEvent(on: DispatchQueue(label: "free"), label: "free")
      )
    }
    event.trigger()
    #expect(isInside.waitOrGiveUp())
    event.trigger()
    #expect(event.isPending)
    let isDelivered = DispatchSemaphore(value: 0)
    let token = other.addObserver { @Sendable _ in isDelivered.signal() }
    other.trigger()
    #expect(isDelivered.waitOrGiveUp())
    mayLeave.signal()
    #expect(isInside.waitOrGiveUp())
    mayLeave.signal()
    token?.remove()
  }
}

/// A monitor that does not return from the report of a delivery until it is allowed to.
private struct BlockingMonitor: CoalescingMonitor {
  let isInside: DispatchSemaphore
  let mayLeave: DispatchSemaphore

  init(_ isInside: DispatchSemaphore, _ mayLeave: DispatchSemaphore) {
    (self.isInside, self.mayLeave) = (isInside, mayLeave)
  }

  func delivered(_ delivery: CoalescingDelivery) {
    guard delivery.source.label == "blocked" else { return }
    isInside.signal()
    mayLeave.wait()
  }
}

/// The operations of the storm on an object of any type.
private protocol Signalled: Sendable {
  func signal()
  func cancel()
}

extension LazySimpleEvent: Signalled { fileprivate func signal() { trigger() } }
extension CoalescingCallback: Signalled { fileprivate func signal() { schedule() } }
extension CoalescingCollector: Signalled where Element == Int { fileprivate func signal() { add(1) } }
extension RefreshLoop: Signalled { fileprivate func signal() { request() } }
