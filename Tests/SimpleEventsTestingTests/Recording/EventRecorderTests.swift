import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

struct EventRecorderTests {
  private let scheduler = TestScheduler()

  @Test("EventRecorder: records the times of an event's notifications since its own creation")
  func notifications() {
    scheduler.advance(by: .seconds(5))
    let event = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)))
    let recorder = EventRecorder(event, on: scheduler)
    event.trigger()
    scheduler.advance(by: .milliseconds(99))
    #expect(recorder.milliseconds == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(recorder.milliseconds == [100])
  }

  @Test("EventRecorder: record() adds the current time, and removeAll() removes all times")
  func recordAndRemoveAll() {
    let recorder = EventRecorder(on: scheduler)
    recorder.record()
    scheduler.advance(by: .seconds(1))
    recorder.record()
    #expect(recorder.times == [.zero, .seconds(1)])
    recorder.removeAll()
    #expect(recorder.count == 0)
    #expect(recorder.times == [])
  }

  @Test("EventRecorder: records the calls of several threads")
  func threads() {
    let recorder = EventRecorder(on: scheduler)
    onThreads(4) { _ in
      for _ in 0..<20_000 { recorder.record() }
    }
    #expect(recorder.count == 80_000)
  }

  @Test("EventRecorder: an event does not keep its recorder alive")
  func eventDoesNotRetainRecorder() {
    let event = LazySimpleEvent(on: scheduler)
    weak var weakRecorder: EventRecorder?
    do {
      let recorder = EventRecorder(event, on: scheduler)
      weakRecorder = recorder
      event.trigger()
    }
    #expect(weakRecorder == nil)
    scheduler.run()
    #expect(event.debugDescription == "LazySimpleEvent, 0 observers")
  }

  @Test("EventRecorder: a recorder does not keep its event alive")
  func recorderDoesNotRetainEvent() {
    weak var weakEvent: LazySimpleEvent?
    let recorder: EventRecorder
    do {
      let event = LazySimpleEvent(on: scheduler)
      weakEvent = event
      recorder = EventRecorder(event, on: scheduler)
    }
    #expect(weakEvent == nil)
    #expect(recorder.count == 0)
  }
}
