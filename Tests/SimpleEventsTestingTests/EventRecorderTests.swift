import SimpleEvents
import SimpleEventsTesting
import Testing

@Suite struct EventRecorderTests {
  @Test func `records the notifications of an event, and when they came`() {
    let scheduler = TestScheduler()
    scheduler.advance(by: .seconds(5))
    let event = LazySimpleEvent(scheduler: scheduler, policy: .debounce(.milliseconds(100)))
    let recorder = EventRecorder(event, scheduler: scheduler)
    event.trigger()
    scheduler.advance(by: .milliseconds(99))
    #expect(recorder.times == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(recorder.times == [.milliseconds(100)])
  }

  @Test func `records on request, and forgets on request`() {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(scheduler: scheduler)
    recorder.record()
    scheduler.advance(by: .seconds(1))
    recorder.record()
    #expect(recorder.times == [.zero, .seconds(1)])
    recorder.removeAll()
    #expect(recorder.count == 0)
  }

  @Test func `keeps neither the event alive nor itself registered`() {
    let scheduler = TestScheduler()
    let event = LazySimpleEvent(scheduler: scheduler)
    weak var weakRecorder: EventRecorder?
    do {
      let recorder = EventRecorder(event, scheduler: scheduler)
      weakRecorder = recorder
      event.trigger()
    }
    #expect(weakRecorder == nil)
    scheduler.run()

    weak var weakEvent: LazySimpleEvent?
    let recorder: EventRecorder
    do {
      let event = LazySimpleEvent(scheduler: scheduler)
      weakEvent = event
      recorder = EventRecorder(event, scheduler: scheduler)
    }
    #expect(weakEvent == nil)
    #expect(recorder.count == 0)
  }
}
