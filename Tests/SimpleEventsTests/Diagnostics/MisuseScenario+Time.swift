import Dispatch
import SimpleEvents
import SimpleEventsTesting

extension MisuseScenario {
  func misuseTime() {
    let event = SimpleEvent()
    var runs = 0
    switch self {
    case .flushedOffScheduler:
      site(#line + 1)
      let callback = CoalescingCallback(on: DispatchQueue(label: "queue"), policy: .debounce(.seconds(60))) {
        runs += 1
      }
      callback.schedule()
      callback.flush()
      require(runs == 1)
    case .groupFlushedElsewhere:
      let queue = DispatchQueue(label: "queue")
      site(#line + 1)
      let group = SimpleEventGroupObserver(
        of: event, on: queue, policy: .audit(.seconds(60)), label: "refresh"
      ) { _ in runs += 1 }
      event.trigger()
      group.flush()
      require(runs == 1)
    case .notANumber:
      site(#line + 1)
      let group = SimpleEventGroupObserver(events: event, debounceTimeout: .nan) { _ in }
      group.remove()
    case .noEdges:
      let scheduler = TestScheduler()
      site(#line + 1)
      let callback = CoalescingCallback(on: scheduler, policy: .throttle(.seconds(1), edges: [])) {
        runs += 1
      }
      callback.schedule()
      scheduler.run()
      require(runs == 0)
    case .limitBelowOne:
      let scheduler = TestScheduler()
      site(#line + 1)
      let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(0), label: "lines") { batch in
        runs += batch.count
      }
      collector.add(contentsOf: [1, 2])
      scheduler.run()
      require(runs == 1)
    case .advanceLimitReached:
      let scheduler = TestScheduler()
      site(#line + 1)
      let event = LazySimpleEvent(on: scheduler, label: "echo")
      let token = event.addObserver { [weak event] _ in
        runs += 1
        event?.trigger()
      }
      event.trigger()
      scheduler.advance(by: .seconds(1), limit: 1000)
      require(runs == 1000 && scheduler.elapsed == .zero)
      token?.remove()
    case .feedback:
      let scheduler = TestScheduler()
      site(#line + 1)
      let event = LazySimpleEvent(on: scheduler, label: "echo")
      let token = event.addObserver { [weak event] _ in
        runs += 1
        if runs < 20_000 { event?.trigger() }
      }
      event.trigger()
      scheduler.run()
      require(runs == 20_000)
      token?.remove()
    case .addedWhileCombining:
      let scheduler = TestScheduler()
      let itself = Guarded<CoalescingCollector<Int>?>(nil)
      site(#line + 1)
      let collector = CoalescingCollector<Int>(
        on: scheduler,
        keeping: .combined { old, new in
          itself.withLock { $0 }?.add(100)
          return old + new
        }, label: "sum"
      ) { batch in runs += batch[0] + batch.droppedCount }
      _ = itself.exchange(collector)
      collector.add(contentsOf: [1, 2])
      scheduler.run()
      require(runs == 4)
      _ = itself.exchange(nil)
    default:
      site(#line + 1)
      let scheduler = TestScheduler(label: "virtual")
      scheduler.schedule { scheduler.advance(by: .seconds(1)) }
      scheduler.run()
      require(scheduler.now == EventInstant(nanoseconds: 0))
    }
  }
}
