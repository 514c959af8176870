import CPlatform
import Dispatch
import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// The delivery of values that other threads send during a call.
struct HandoverTests {
  @Test(
    "V3: one call delivers at most 64 values of another thread, and later values follow in order",
    .timeLimit(.minutes(10)))
  func handover() {
    let subject = PublishSubject<Int>()
    let seen = Deliveries()
    let last = DispatchSemaphore(value: 0)
    let token = subject.subscribe { @Sendable value in
      seen.take(value)
      if value == 0 { Self.send(1...200, through: subject) }
      if value == 200 { last.signal() }
    }
    subject.update(0)
    last.wait()
    #expect(seen.values == Array(0...200))
    #expect(seen.ownCount == 65)
    token.remove()
  }

  @Test(
    "V3: values that are handed over keep the quality of service of their sender", .timeLimit(.minutes(10)))
  func qualityOfService() async {
    let queues: [(TaskPriority, String)] = [
      (.background, "background"), (.utility, "utility"), (.medium, "default"), (.high, "user-initiated"),
    ]
    for (priority, name) in queues {
      let label = await labelAfterHandover { update in Task.detached(priority: priority) { update() } }
      #expect(label == "com.apple.root.\(name)-qos")
    }
  }

  @Test("V3: nested values of the calling thread are all delivered in the call")
  func nestedValues() {
    let subject = PublishSubject<Int>()
    let seen = Deliveries()
    let token = subject.subscribe { @Sendable value in
      seen.take(value)
      if value < 1000 { subject.update(value + 1) }
    }
    subject.update(0)
    #expect(seen.values == Array(0...1000))
    #expect(seen.ownCount == 1001)
    token.remove()
  }

  @Test(
    "V1: a removal inside a delivery releases the captures before the queued values are delivered",
    .timeLimit(.minutes(10)))
  func removalBeforeWaitingValues() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    weak var weakCanary: Deliveries?
    var wasReleased: [Bool] = []
    let token = subject.subscribe { value in
      if value == 0 {
        subject.update(1)
        bag.disposeAll()
      } else {
        wasReleased.append(weakCanary == nil)
      }
    }
    weakCanary = Self.subscribeCanary(to: subject, bag)
    #expect(weakCanary != nil)
    subject.update(0)
    #expect(wasReleased == [true])
    token.remove()
  }

  @Test(
    "V1: on the global queue, a removal also releases the captures before the next value",
    .timeLimit(.minutes(10)))
  func removalAfterHandover() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    weak var weakCanary: Deliveries?
    var wasReleased: [Bool] = []
    let last = DispatchSemaphore(value: 0)
    let token = subject.subscribe { value in
      switch value {
      case 0: Self.send(1...200, through: subject)
      // This value comes after the 64 values of the call, and after the first values on the global queue.
      case 100: bag.disposeAll()
      case 101: wasReleased.append(weakCanary == nil)
      case 200: last.signal()
      default: break
      }
    }
    weakCanary = Self.subscribeCanary(to: subject, bag)
    subject.update(0)
    last.wait()
    #expect(wasReleased == [true])
    token.remove()
  }

  /// Adds a subscriber that keeps an object alive; returns the object.
  private static func subscribeCanary(to subject: PublishSubject<Int>, _ bag: DisposeBag) -> Deliveries {
    let canary = Deliveries()
    subject.subscribe { _ in withExtendedLifetime(canary) {} }.disposed(by: bag)
    return canary
  }

  /// Sends values from another thread, and returns when it has sent all values.
  private static func send(_ values: ClosedRange<Int>, through subject: PublishSubject<Int>) {
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      for value in values { subject.update(value) }
    }
    group.wait()
  }

  @Test(
    "V3: values that are handed over off the global queues keep the priority of the task",
    .timeLimit(.minutes(10)))
  func priorityOnExecutor() async {
    for (priority, name) in [(TaskPriority.background, "background"), (.utility, "utility")] {
      let label = await labelAfterHandover { update in
        let actor = ActorOnExecutor(MuteExecutor())
        Task.detached(priority: priority) { await actor.run(update) }
      }
      #expect(label == "com.apple.root.\(name)-qos")
    }
  }

  /// Returns the label of the queue that delivers the last of 200 values. Another thread sends them during a
  /// delivery.
  ///
  /// - Parameter start: Starts a task that calls `update`. The call begins the delivery.
  private func labelAfterHandover(_ start: (_ update: @escaping @Sendable () -> Void) -> Void) async -> String
  {
    await withCheckedContinuation { continuation in
      let subject = PublishSubject<Int>()
      let token = Guarded<(any SimpleEventToken)?>(nil)
      _ = token.exchange(
        subject.subscribe { @Sendable value in
          if value == 0 { Self.send(1...200, through: subject) }
          if value == 200 {
            _ = token.exchange(nil)
            continuation.resume(returning: currentQueueLabel())
          }
        })
      start { subject.update(0) }
    }
  }
}

/// The label of the queue on which the caller runs.
///
/// SAFETY: the function is looked up by name, because Dispatch does not declare it for Swift. It takes a
/// queue, or a null pointer for the current queue, and returns a C string.
private func currentQueueLabel() -> String {
  typealias Function = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>
  let function = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "dispatch_queue_get_label"), to: Function.self)
  return String(cString: function(nil))
}

/// The values that a subscriber has received. It also counts the values that arrived on the thread that
/// created this recorder.
// SAFETY: `@unchecked`, because no subscriber is called by two threads at the same time (V2).
private final class Deliveries: @unchecked Sendable {
  private let thread: ThreadIdentity = .current
  private(set) var values: [Int] = []
  private(set) var ownCount: Int = 0

  func take(_ value: Int) {
    values.append(value)
    if ThreadIdentity.current == thread { ownCount += 1 }
  }
}
