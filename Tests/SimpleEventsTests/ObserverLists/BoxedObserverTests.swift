import SimpleEvents
import TestSupport
import Testing

/// Observers that the hub's observer type holds in a box, as `any Error` does.
struct BoxedObserverTests {
  private final class Fault: Error {}

  /// The box is a new object for each conversion, so a weak reference to it would be nil immediately.
  @Test("H6: an object in an any Error is refused like a value")
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
