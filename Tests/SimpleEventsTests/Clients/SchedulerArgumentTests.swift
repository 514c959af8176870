import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The call forms of the initializers: `on:` with `.main`, a queue or a test scheduler, and no arguments.
@MainActor
struct SchedulerArgumentTests {
  private let log = Log()
  private let source = SimpleEvent()

  @Test("EventScheduler: .main can be passed to every type")
  func main() async {
    let lazy = LazySimpleEvent(on: .main)
    let proxy = SimpleEventProxy(of: source, on: .main)
    let group = SimpleEventGroupObserver(of: source, on: .main) { [log] _ in log.add("group") }
    let callback = CoalescingCallback(on: .main) { [log] in log.add("callback") }
    let collector = CoalescingCollector<Int>(on: .main, keeping: .newest(1)) { [log] _ in log.add("collector")
    }
    let recorders = [EventRecorder(lazy, on: .main), EventRecorder(proxy, on: .main)]
    let counter = EventRecorder(on: .main)
    lazy.trigger()
    source.trigger()
    callback.schedule()
    collector.add(1)
    counter.record()
    await mainQueueTurn()
    #expect(log.entries == ["group", "callback", "collector"])
    #expect(recorders.map(\.count) == [1, 1])
    #expect(counter.count == 1)
    withExtendedLifetime((lazy, proxy, callback, collector)) {}
    group.remove()
  }

  @Test(
    "EventScheduler: .global() and .global(qos:) can be passed, and deliver on the given queue",
    .timeLimit(.minutes(10)))
  func global() async {
    let events = [
      (LazySimpleEvent(on: .global()), DispatchQueue.global()),
      (LazySimpleEvent(on: .global(qos: .utility)), DispatchQueue.global(qos: .utility)),
    ]
    for (event, queue) in events {
      var token: (any SimpleEventToken)?
      let isThere = await withCheckedContinuation { continuation in
        token = event.addObserver { @Sendable _ in continuation.resume(returning: queue.isCurrent) }
        event.trigger()
      }
      #expect(isThere)
      token?.remove()
    }
    let callback = CoalescingCallback(on: .global(qos: .background)) {}
    let collector = CoalescingCollector<Int>(on: .global(), keeping: .newest(1)) { _ in }
    withExtendedLifetime((callback, collector)) {}
  }

  @Test("EventScheduler: .global() does not hide the functions of Dispatch")
  func globalOfDispatch() {
    // On Linux, each call returns another object for the queue.
    let queue: DispatchQueue = .global()
    #expect(queue.label == DispatchQueue.global().label)
    let utility: DispatchQueue = .global(qos: .utility)
    #expect(utility.label == DispatchQueue.global(qos: .utility).label)
    #expect(utility.label != queue.label)
    let makeQueue: (DispatchQoS.QoSClass) -> DispatchQueue = DispatchQueue.global(qos:)
    #expect(makeQueue(.utility).label == utility.label)
  }

  @Test("EventScheduler: the main queue is the default of every type")
  func defaults() async {
    let lazy = LazySimpleEvent()
    let proxy = SimpleEventProxy(of: source)
    let group = SimpleEventGroupObserver(of: source) { [log] _ in log.add("group") }
    let callback = CoalescingCallback { [log] in log.add("callback") }
    let collector = CoalescingCollector<Int>(keeping: .newest(1)) { [log] _ in log.add("collector") }
    let recorders = [EventRecorder(lazy, on: .main), EventRecorder(proxy, on: .main)]
    lazy.trigger()
    source.trigger()
    callback.schedule()
    collector.add(1)
    await mainQueueTurn()
    #expect(log.entries == ["group", "callback", "collector"])
    #expect(recorders.map(\.count) == [1, 1])
    withExtendedLifetime((lazy, proxy, callback, collector)) {}
    group.remove()
  }

  @Test(
    "EventScheduler: every type takes a test scheduler and a policy, in the same order")
  func allArguments() {
    let scheduler = TestScheduler()
    let policy: CoalescingPolicy = .debounce(.milliseconds(10))
    let misuses = MisuseLog()
    let lazy = LazySimpleEvent(on: scheduler, policy: policy, label: "a", misuse: misuses.handler)
    let proxy = SimpleEventProxy(
      of: source, lazy, on: scheduler, policy: policy, label: "a", misuse: misuses.handler)
    let group = SimpleEventGroupObserver(
      of: source, lazy, on: scheduler, policy: policy, label: "a", misuse: misuses.handler
    ) { [log] fired in log.add("group \(fired.count)") }
    let callback = CoalescingCallback(on: scheduler, policy: policy, label: "a", misuse: misuses.handler) {
      [log] in log.add("callback")
    }
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: policy, keeping: .oldest(1), label: "a", misuse: misuses.handler
    ) { [log] batch in log.add("collector \(batch.count)") }
    let recorder = EventRecorder(proxy, on: scheduler)
    source.trigger()
    callback.schedule()
    collector.add(1)
    scheduler.run()
    #expect(log.entries == ["group 1", "callback", "collector 1"])
    #expect(recorder.milliseconds == [10])
    #expect(misuses.messages == [])
    withExtendedLifetime((lazy, proxy, callback, collector)) {}
    group.remove()
  }

  @Test("SimpleEventProxy, SimpleEventGroupObserver: of: takes an array or a list of events")
  func sources() {
    let scheduler = TestScheduler()
    let other = LazySimpleEvent(on: scheduler)
    let proxies = [
      SimpleEventProxy(of: source, other, on: scheduler),
      SimpleEventProxy(of: [source, other], on: scheduler),
    ]
    let recorders = proxies.map { EventRecorder($0, on: scheduler) }
    let groups = [
      SimpleEventGroupObserver(of: source, other, on: scheduler) { [log] fired in log.add("\(fired.count)") },
      SimpleEventGroupObserver(of: [source, other], on: scheduler) { [log] fired in log.add("\(fired.count)")
      },
    ]
    source.trigger()
    scheduler.run()
    #expect(recorders.map(\.count) == [1, 1])
    #expect(log.entries == ["1", "1"])
    for group in groups { group.remove() }
    withExtendedLifetime(proxies) {}
  }
}
