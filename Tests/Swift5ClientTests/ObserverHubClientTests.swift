import SimpleEvents
import TestSupport
import Testing

struct ObserverHubClientTests {
  private let queue = PlayQueue()
  private let log = Log()

  @Test("H1, H7: observers are called in order, and may remove themselves in their deinit")
  func orderAndRemoval() {
    #expect(!queue.isObserved)
    var first: QueueView? = QueueView("first", queue, log)
    let second = QueueView("second", queue, log)
    #expect(queue.isObserved && first != nil)
    queue.add("Intro")
    #expect(log.entries == ["first adds Intro", "second adds Intro"])
    first = nil
    queue.add("Verse")
    #expect(log.entries.suffix(2) == ["second adds Intro", "second adds Verse"])
    withExtendedLifetime(second) {}
  }

  @Test("H7: a hub is empty after its last observer was deallocated")
  func lastObserver() {
    var view: QueueView? = QueueView("only", queue, log)
    #expect(queue.isObserved && view != nil)
    view = nil
    #expect(!queue.isObserved)
    queue.clear()
    #expect(log.entries == [])
  }

  @Test("H3: observers are added and removed during a cycle")
  func changesDuringCycle() {
    var third: QueueView?
    var fourth: QueueView?
    let first = QueueView("first", queue, log)
    let second = QueueView("second", queue, log)
    third = QueueView("third", queue, log)
    first.onClear = { [queue, log] in
      third = nil
      fourth = fourth ?? QueueView("fourth", queue, log)
    }
    queue.clear()
    #expect(log.entries == ["first clears", "second clears"])
    queue.clear()
    #expect(log.entries.suffix(3) == ["first clears", "second clears", "fourth clears"])
    withExtendedLifetime(second) {}
    #expect(third == nil && fourth != nil)
  }

  @Test("ObserverHub: an observer may be removed explicitly")
  func explicitRemoval() {
    let hub = ObserverHub<RecordingObserver>()
    let guests = [true, false, true].map { Guest(isPatient: $0, log) }
    for guest in guests {
      hub.add(guest)
    }
    hub.remove(guests[1])
    hub.forEach { observer in
      guard observer.isPatient else { return }
      observer.recordingDidEnd()
    }
    #expect(log.entries == ["patient", "patient"])
    guests.filter { $0.isPatient }.forEach(hub.remove)
    #expect(hub.isEmpty)
  }

  @Test("ObserverHub: the observer type may be a class")
  func hubOfClass() {
    let hub = ObserverHub<Guest>()
    let guest = Guest(isPatient: false, log)
    hub.add(guest)
    hub.forEach { $0.recordingDidEnd() }
    hub.remove(guest)
    hub.forEach { $0.recordingDidEnd() }
    #expect(log.entries == ["impatient"])
  }

  @Test("ObserverHub: the body of forEach may be a function value")
  func bodyAsValue() {
    let view = QueueView("view", queue, log)
    var count = 0
    queue.forEachObserver { _ in count += 1 }
    #expect(count == 1)
    withExtendedLifetime(view) {}
  }
}
