import SimpleEvents
import SimpleEventsTesting
import Testing

/// What a debugger shows of hubs and events.
@Suite struct DescriptionTests {
  private final class Reader: SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  private let reader: Reader = Reader()

  /// What stands behind an observer that was added on a line of this file.
  private func origin(_ line: Int) -> String {
    #if DEBUG
      ", added at \(#fileID):\(line)"
    #else
      ""
    #endif
  }

  @Test func `a hub tells its label and its live observers in order`() {
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

  @Test func `an event tells its type where it has no label, and blocks from observers`() {
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

  @Test func `a lazy event and a proxy tell the same`() {
    let source = LazySimpleEvent(scheduler: TestScheduler(), label: "source")
    let proxy = SimpleEventProxy(scheduler: TestScheduler(), events: source)
    let line = #line - 1
    #expect(proxy.debugDescription == "SimpleEventProxy, 0 observers")
    #expect(
      source.debugDescription == """
        LazySimpleEvent "source", 1 observer:
        - block\(origin(line))
        """)
  }
}
