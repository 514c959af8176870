import SimpleEvents
import SimpleEventsTesting
import Testing

/// The debug descriptions of hubs and events.
struct DescriptionTests {
  private final class Reader: SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  private let reader: Reader = Reader()

  /// Returns the suffix for an observer that was added on a line of this file.
  private func origin(_ line: Int) -> String {
    #if DEBUG
      ", added at \(#fileID):\(line)"
    #else
      ""
    #endif
  }

  @Test("ObserverHub: the debug description has the label and the live observers in order")
  func hubDescription() {
    let hub = ObserverHub<any SimpleEventObserver>(label: "readers", misuse: .report { _ in })
    #expect(hub.debugDescription == "ObserverHub<SimpleEventObserver> \"readers\", 0 observers")
    hub.add(reader)
    let line = #line - 1
    do {
      let shortLived = Reader()
      hub.add(shortLived)
      #expect(hub.debugDescription.contains(", 2 observers:"))
    }
    #expect(
      hub.debugDescription == """
        ObserverHub<SimpleEventObserver> "readers", 1 observer:
        - Reader\(origin(line))
        """)
  }

  @Test("SimpleEvent: the debug description distinguishes blocks from delegates")
  func eventDescription() {
    let event = SimpleEvent()
    #expect(event.debugDescription == "SimpleEvent, 0 observers")
    event.addObserver(reader)
    let token = event.addObserver { _ in }
    let line = #line - 1
    #expect(
      event.debugDescription == """
        SimpleEvent, 2 observers:
        - Reader\(origin(line - 1))
        - block\(origin(line))
        """)
    token?.remove()
    event.removeObserver(reader)
    #expect(event.debugDescription == "SimpleEvent, 0 observers")
  }

  @Test("LazySimpleEvent, SimpleEventProxy: the debug description has the same form as that of an event")
  func lazyEventDescription() {
    let source = LazySimpleEvent(on: TestScheduler(), label: "source")
    let proxy = SimpleEventProxy(of: source, on: TestScheduler())
    let line = #line - 1
    #expect(proxy.debugDescription == "SimpleEventProxy, 0 observers")
    #expect(
      source.debugDescription == """
        LazySimpleEvent "source", 1 observer:
        - block\(origin(line))
        """)
  }
}
