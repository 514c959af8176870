import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// The shell on real queues: that it delivers, where, and not before its time.
@Suite(.serialized) struct RealDispatchTests {
  static let queues: [DispatchQueue] = [
    .main, DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
    .global(),
  ]

  /// Waits until a body has called what it is given.
  private func until(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in
      body { continuation.resume() }
    }
  }

  @Test(arguments: queues)
  func `a lazy event delivers on its queue`(_ queue: DispatchQueue) async {
    let event = LazySimpleEvent(queue: queue)
    var token: (any SimpleEventToken)?
    await until { done in
      event.addObserver(&token, isolation: nil) { _ in
        #expect(queue.isCurrent)
        done()
      }
      event.trigger()
    }
    token?.remove()
    withExtendedLifetime(event) {}
  }

  @Test(arguments: queues)
  func `a debounced callback does not come before its time`(_ queue: DispatchQueue) async {
    let start = queue.now
    let callback = Mutex<CoalescingCallback?>(nil)
    await until { done in
      let debounced = CoalescingCallback(queue: queue, policy: .debounce(.milliseconds(20))) {
        #expect(queue.isCurrent)
        #expect(start.duration(to: queue.now) >= .milliseconds(20))
        done()
      }
      for _ in 0..<1000 { debounced.schedule() }
      callback.withLock { $0 = debounced }
    }
    #expect(callback.withLock { $0?.isPending } == false)
    withExtendedLifetime(callback) {}
  }

  @Test func `a group observer delivers on the main queue by default`() async {
    let event = SimpleEvent()
    var observer: SimpleEventGroupObserver?
    await until { done in
      observer = SimpleEventGroupObserver(events: event, debounceTimeout: 0.01) { fired in
        #expect(DispatchQueue.main.isCurrent)
        #expect(fired.count == 1)
        done()
      }
      event.trigger()
    }
    observer?.remove()
    withExtendedLifetime(event) {}
  }

  @Test func `two queued deliveries of different events keep their order`() async {
    let queue = DispatchQueue(label: "serial")
    let order = Mutex<[Int]>([])
    let events = (0..<10).map { _ in LazySimpleEvent(queue: queue) }
    let tokens = events.enumerated().map { index, event in
      event.addObserver(isolation: nil) { _ in order.withLock { $0.append(index) } }
    }
    queue.sync {
      for event in events { event.trigger() }
    }
    await until { done in queue.async { done() } }
    #expect(order.withLock { $0 } == Array(0..<10))
    withExtendedLifetime(tokens) {}
    withExtendedLifetime(events) {}
  }

  @Test func `C7 flush on the queue delivers there and then`() {
    let queue = DispatchQueue(label: "serial")
    let hasRun = Flag()
    let callback = CoalescingCallback(queue: queue, policy: .debounce(.seconds(60))) {
      hasRun.set()
    }
    callback.schedule()
    queue.sync { callback.flush() }
    #expect(hasRun.isSet)
    withExtendedLifetime(callback) {}
  }

  @Test func `E6 what is cancelled on the delivering queue is not delivered after that`() {
    let queue = DispatchQueue(label: "serial")
    let isCancelled = Flag()
    let callback = CoalescingCallback(queue: queue) {
      #expect(!isCancelled.isSet)
    }
    for _ in 0..<1000 {
      callback.schedule()
      queue.sync {
        callback.cancel()
        isCancelled.set()
      }
      queue.sync { isCancelled.set(false) }
    }
    withExtendedLifetime(callback) {}
  }
}
