import SimpleEvents
import TestSupport
import Testing

/// Not bound to classes, as protocols often are that only classes conform to.
private protocol QueueObserver {
  func queue(_ queue: PlayQueue, didAdd title: String)
  func queueDidClear(_ queue: PlayQueue)
}

/// Bound to classes.
private protocol RecordingObserver: AnyObject {
  var isPatient: Bool { get }
  func recordingDidEnd()
}

private final class PlayQueue {
  private let hub = ObserverHub<QueueObserver>()

  var isObserved: Bool { !hub.isEmpty }

  func addObserver(_ observer: QueueObserver) { hub.add(observer) }
  func removeObserver(_ observer: QueueObserver) { hub.remove(observer) }

  func add(_ title: String) {
    hub.forEach { $0.queue(self, didAdd: title) }
  }

  func clear() {
    hub.forEach { observer in
      let queue = self
      observer.queueDidClear(queue)
    }
  }

  func forEachObserver(_ body: (QueueObserver) -> Void) {
    hub.forEach(body)
  }
}

private final class QueueView: QueueObserver {
  private let queue: PlayQueue
  private let log: Log
  private let name: String
  var onClear: () -> Void = {}

  init(_ name: String, _ queue: PlayQueue, _ log: Log) {
    self.name = name
    self.queue = queue
    self.log = log
    queue.addObserver(self)
  }

  deinit {
    queue.removeObserver(self)
  }

  func queue(_ queue: PlayQueue, didAdd title: String) {
    log.add("\(name) adds \(title)")
  }

  func queueDidClear(_ queue: PlayQueue) {
    log.add("\(name) clears")
    onClear()
  }
}

private final class Guest: RecordingObserver {
  let isPatient: Bool
  let log: Log

  init(isPatient: Bool, _ log: Log) {
    self.isPatient = isPatient
    self.log = log
  }

  func recordingDidEnd() {
    log.add(isPatient ? "patient" : "impatient")
  }
}

@Suite struct ObserverHubClientTests {
  private let queue = PlayQueue()
  private let log = Log()

  @Test func `observers are called in order, and remove themselves when they go`() {
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

  @Test func `the last one to go leaves the hub empty`() {
    var view: QueueView? = QueueView("only", queue, log)
    #expect(queue.isObserved && view != nil)
    view = nil
    #expect(!queue.isObserved)
    queue.clear()
    #expect(log.entries == [])
  }

  @Test func `observers come and go while they are being called`() {
    var third: QueueView?
    var late: QueueView?
    let first = QueueView("first", queue, log)
    let second = QueueView("second", queue, log)
    third = QueueView("third", queue, log)
    first.onClear = { [queue, log] in
      third = nil
      late = late ?? QueueView("late", queue, log)
    }
    queue.clear()
    #expect(log.entries == ["first clears", "second clears"])
    queue.clear()
    #expect(log.entries.suffix(3) == ["first clears", "second clears", "late clears"])
    withExtendedLifetime(second) {}
    #expect(third == nil && late != nil)
  }

  @Test func `an observer may be removed by hand`() {
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

  @Test func `a hub can be of a class`() {
    let hub = ObserverHub<Guest>()
    let guest = Guest(isPatient: false, log)
    hub.add(guest)
    hub.forEach { $0.recordingDidEnd() }
    hub.remove(guest)
    hub.forEach { $0.recordingDidEnd() }
    #expect(log.entries == ["impatient"])
  }

  @Test func `a body can be a function that was passed in`() {
    let view = QueueView("view", queue, log)
    var count = 0
    queue.forEachObserver { _ in count += 1 }
    #expect(count == 1)
    withExtendedLifetime(view) {}
  }
}
