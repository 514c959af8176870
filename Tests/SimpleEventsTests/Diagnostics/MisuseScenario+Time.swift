import Dispatch
import SimpleEvents
import SimpleEventsTesting

extension MisuseScenario {
  func misuseTime() {
    let event = SimpleEvent()
    var runs = 0
    switch self {
    case .flushedElsewhere:
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
    default:
      site(#line + 1)
      let scheduler = TestScheduler(label: "virtual")
      scheduler.schedule { scheduler.advance(by: .seconds(1)) }
      scheduler.run()
      require(scheduler.now == EventInstant(nanoseconds: 0))
    }
  }
}
