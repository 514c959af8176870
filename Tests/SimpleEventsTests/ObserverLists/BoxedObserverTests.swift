import SimpleEvents
import TestSupport
import Testing

/// Observers that a variable of the hub's observer type stores in a box, as `any Error` does.
struct BoxedObserverTests {
  private final class Fault: Error {}

  /// Each conversion creates a new box, so a weak reference to the box would be nil immediately.
  @Test("H6: an object in an any Error is refused as a value is")
  func refusesBoxedObject() {
    let misuses = MisuseLog()
    let hub = ObserverHub<any Error>(misuse: misuses.handler)
    let fault = Fault()
    hub.add(fault)
    #expect(hub.isEmpty)
    hub.forEach { _ in Issue.record("called") }
    hub.remove(fault)
    #expect(misuses.kinds == [.notAnObject, .notAnObject])
    #expect(misuses.messages[0].contains("Fault"))
  }
}
