import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The label of an event, read through its own type and through an existential.
struct EventLabelTests {
  private let scheduler = TestScheduler()

  @Test("SimpleEventObservable: every event shows the label that its initialiser received")
  func label() {
    let events: [any SimpleEventObservable] = [
      SimpleEvent(label: "a"), LazySimpleEvent(on: scheduler, label: "a"),
      SimpleEventProxy(of: [], on: scheduler, label: "a"),
    ]
    for event in events {
      #expect(event.label == "a")
    }
  }

  @Test("SimpleEventObservable: the label is nil by default")
  func defaultLabel() {
    let events: [any SimpleEventObservable] = [
      SimpleEvent(), LazySimpleEvent(on: scheduler), SimpleEventProxy(of: [], on: scheduler),
    ]
    for event in events {
      #expect(event.label == nil)
    }
  }

  @Test("SimpleEventObservable: a type with the classic methods and its own label property conforms")
  func classicType() {
    let classic = ClassicObservable(SimpleEvent(label: "a"))
    #expect(classic.label == 1)
    #expect((classic as any SimpleEventObservable).label == nil)
  }
}
