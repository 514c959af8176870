import SimpleEvents
import TestSupport
import Testing

/// H7: a new object at the address of an observer that was deallocated without having been removed.
///
/// A sanitizer does not reuse an address immediately, so these tests cannot run under a sanitizer.
@Suite(.enabled(if: !Stress.isSanitized, "sanitizers do not reuse addresses"))
struct AddressReuseTests {
  private final class Observer: SimpleEventObserver {
    private(set) var calls: Int = 0

    func simpleEventDidTrigger(_ event: any SimpleEventObservable) { calls += 1 }
  }

  @Test("H7: a new object at a lost observer's address is not mistaken for the observer")
  func removalOfSuccessor() throws {
    let (event, successor, misuses) = try #require(loseAnObserver())
    #expect(misuses.kinds == [])
    // The object is not installed. The event can be certain of that only if the runtime knows whether the
    // deinitializer of an object is running. For an Objective-C object, the runtime does not know that.
    event.removeObserver(successor)
    #expect(misuses.kinds == (hasObjectiveC ? [] : [.neverRemoved, .notInstalled]))
    let flagged = misuses.all.count
    event.addObserver(successor)
    event.trigger()
    #expect(successor.calls == 1)
    event.removeObserver(successor)
    event.trigger()
    #expect(successor.calls == 1)
    #expect(misuses.all.count == flagged)
  }

  @Test("H7: a new object at a lost observer's address can be added and removed")
  func additionOfSuccessor() throws {
    let (event, successor, misuses) = try #require(loseAnObserver())
    event.addObserver(successor)
    #expect(misuses.kinds == [.neverRemoved])
    event.trigger()
    #expect(successor.calls == 1)
    event.removeObserver(successor)
    #expect(misuses.all.count == 1)
  }

  /// Returns an event with a lost observer, a new object at the address of the observer, and the log of
  /// misuses.
  ///
  /// The event has found the observer deallocated, but has not flagged it: any thread can use an event, so
  /// the observer's deinitializer may still be running on another thread.
  private func loseAnObserver() -> (SimpleEvent, Observer, MisuseLog)? {
    // NB: parallel tests also allocate, and may get the address.
    for _ in 0..<100 {
      let misuses = MisuseLog()
      let event = SimpleEvent(misuse: misuses.handler)
      let address = addAndRelease(to: event)
      event.trigger()
      var others: [Observer] = []
      for _ in 0..<100 {
        let observer = Observer()
        if ObjectIdentifier(observer) == address { return (event, observer, misuses) }
        others.append(observer)
      }
    }
    return nil
  }

  private func addAndRelease(to event: SimpleEvent) -> ObjectIdentifier {
    let observer = Observer()
    event.addObserver(observer)
    return ObjectIdentifier(observer)
  }
}
