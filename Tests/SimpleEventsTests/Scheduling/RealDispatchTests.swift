import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// Deliveries on dispatch queues: the queue, the order, and lower bounds of time.
@Suite(.serialized) struct RealDispatchTests {
  static let queues: [DispatchQueue] = [
    .main, DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
    .global(),
  ]

  /// Calls a body, and returns when the function that is passed to the body was called. Further calls of the
  /// function have no effect.
  private func until(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in
      let waiting = Mutex<CheckedContinuation<Void, Never>?>(continuation)
      body { waiting.withLock { $0.take() }?.resume() }
    }
  }

  @Test("E4: a lazy event delivers on its queue", arguments: queues)
  func deliversOnQueue(_ queue: DispatchQueue) async {
    let event = LazySimpleEvent(on: queue)
    var token: (any SimpleEventToken)?
    await until { done in
      event.addObserver(&token) { _ in
        #expect(queue.isCurrent)
        done()
      }
      event.trigger()
    }
    token?.remove()
    withExtendedLifetime(event) {}
  }

  @Test("S1: a debounced delivery does not come before its deadline", arguments: queues)
  func notBeforeDeadline(_ queue: DispatchQueue) async {
    let start = queue.now
    let callback = Mutex<CoalescingCallback?>(nil)
    await until { done in
      let debounced = CoalescingCallback(on: queue, policy: .debounce(.milliseconds(20))) {
        #expect(queue.isCurrent)
        #expect(start.duration(to: queue.now) >= .milliseconds(20))
        done()
      }
      // On a busy machine these signals take longer than the interval, and cause several deliveries.
      for _ in 0..<1000 { debounced.schedule() }
      callback.withLock { $0 = debounced }
    }
    withExtendedLifetime(callback) {}
  }

  @Test("E8: a group observer delivers on the main queue by default")
  func groupObserverOnMainQueue() async {
    let event = SimpleEvent()
    var observer: SimpleEventGroupObserver?
    await until { done in
      observer = SimpleEventGroupObserver(of: event, policy: .debounce(.milliseconds(10))) { fired in
        #expect(DispatchQueue.main.isCurrent)
        #expect(fired.count == 1)
        done()
      }
      event.trigger()
    }
    observer?.remove()
    withExtendedLifetime(event) {}
  }

  @Test("E4: lazy events on one serial queue deliver in the order of their triggers")
  func orderOfEvents() async {
    let queue = DispatchQueue(label: "serial")
    let order = Mutex<[Int]>([])
    let events = (0..<10).map { _ in LazySimpleEvent(on: queue) }
    let tokens = events.enumerated().map { index, event in
      event.addObserver { _ in order.withLock { $0.append(index) } }
    }
    queue.sync {
      for event in events { event.trigger() }
    }
    await until { done in queue.async { done() } }
    #expect(order.withLock { $0 } == Array(0..<10))
    withExtendedLifetime(tokens) {}
    withExtendedLifetime(events) {}
  }

  @Test("C7: flush in work on the queue delivers before it returns")
  func flushOnQueue() {
    let queue = DispatchQueue(label: "serial")
    let hasRun = Flag()
    let callback = CoalescingCallback(on: queue, policy: .debounce(.seconds(60))) {
      hasRun.set()
    }
    callback.schedule()
    queue.sync { callback.flush() }
    #expect(hasRun.isSet)
    withExtendedLifetime(callback) {}
  }

  @Test("E6: after a cancel on the delivering queue nothing more is delivered")
  func cancelOnQueue() {
    let queue = DispatchQueue(label: "serial")
    let deliveries = Atomic(0)
    let callback = CoalescingCallback(on: queue) {
      deliveries.add(1, ordering: .relaxed)
    }
    for round in 1...100 {
      queue.sync {
        callback.schedule()
        callback.cancel()
      }
      // The queue has run the turn that was requested before the cancellation.
      queue.sync {}
      #expect(deliveries.load(ordering: .relaxed) == round - 1)
      callback.schedule()
      queue.sync {}
      #expect(deliveries.load(ordering: .relaxed) == round, "a signal after the cancellation is delivered")
    }
    withExtendedLifetime(callback) {}
  }
}
