import SimpleEvents
import TestSupport
import Testing

/// N1 to N4 without tasks: the slots that iterators use, with a closure in the place of a continuation.
@Suite struct NotificationSlotTests {
  private let event = SimpleEvent()
  private let source: NotificationSource
  private let root: NotificationSlot
  private let misuses = MisuseLog()
  private let log = Log()

  init() {
    source = NotificationSource(
      DiagnosticSubject(
        SimpleEvent.self, label: "model", misuse: misuses.handler, fileID: #fileID, line: #line))
    root = NotificationSlot(of: source)
    source.keep(event.addObserver(at: CallSite()) { @Sendable [source] _ in source.signal() })
  }

  private var hasObserver: Bool { event.debugDescription.contains("block") }

  private func wait(_ slot: NotificationSlot, _ name: String) {
    slot.wait { [log] _ in log.add(name) }
  }

  @Test("N1: a slot that is made later has what was sent since the first one was made")
  func laterSlot() {
    let before = root.makeSlot()
    #expect(!before.take())
    event.trigger()
    let after = root.makeSlot()
    #expect(after.take())
    #expect(!after.take())
    #expect(before.take())
  }

  @Test("N2: notifications between two takes are one, and none is lost")
  func coalesces() {
    let slot = root.makeSlot()
    for _ in 0..<3 { event.trigger() }
    #expect(slot.take())
    #expect(!slot.take())
    event.trigger()
    wait(slot, "at once")
    #expect(log.entries == ["at once"], "a slot that has something to take does not wait")
    #expect(slot.take())
    wait(slot, "woken")
    #expect(log.entries == ["at once"])
    event.trigger()
    event.trigger()
    #expect(log.entries == ["at once", "woken"])
    #expect(slot.take())
    #expect(!slot.take())
  }

  @Test("N2: each slot has its own notifications")
  func independentSlots() {
    let slots = (0..<3).map { _ in root.makeSlot() }
    for (index, slot) in slots.enumerated() { wait(slot, "\(index)") }
    slots[0].end()
    #expect(log.entries == ["0"])
    event.trigger()
    #expect(log.entries.sorted() == ["0", "1", "2"])
    #expect(slots.map { $0.take() } == [false, true, true])
  }

  @Test("N3: the end of the last slot removes the observer before it wakes the slot")
  func endRemovesObserver() {
    let slot = NotificationSlot(of: source)
    root.end()
    #expect(hasObserver)
    let hadObserver = Log()
    slot.wait { [event = Unchecked(event)] _ in
      hadObserver.add("\(event.value.debugDescription.contains("block"))")
    }
    slot.end()
    #expect(hadObserver.entries == ["false"])
    slot.end()
    wait(slot, "ended")
    #expect(log.entries == ["ended"])
    event.trigger()
    #expect(!slot.take())
  }

  @Test("N3: the release of the last slot removes the observer")
  func releaseRemovesObserver() {
    root.end()
    #expect(!hasObserver, "a root without iterators")
    source.keep(event.addObserver(at: CallSite()) { _ in })
    #expect(!hasObserver, "a registration that comes too late")
  }

  @Test("N3: after the end of the event a slot has what is pending, and then ends")
  func endOfEvent() {
    let (pending, waiting) = (root.makeSlot(), root.makeSlot())
    event.trigger()
    #expect(waiting.take())
    wait(waiting, "waiting")
    source.finish()
    #expect(log.entries == ["waiting"])
    #expect(!waiting.take())
    #expect(pending.take())
    wait(pending, "pending")
    #expect(log.entries == ["waiting", "pending"])
    #expect(!pending.take())
    let late = root.makeSlot()
    #expect(late.take())
    source.finish()
  }

  @Test("N4: a second wait with one slot is flagged, and ends the first")
  func secondWait() {
    let slot = root.makeSlot()
    wait(slot, "first")
    wait(slot, "second")
    #expect(misuses.kinds == [.sharedIterator])
    #expect(misuses.messages.allSatisfy { $0.contains("\"model\"") })
    #expect(log.entries == ["first"])
    #expect(!slot.take())
    event.trigger()
    #expect(log.entries == ["first", "second"])
    #expect(slot.take())
  }

  @Test("N2: slots that wait and end in turn leave nothing behind")
  func waitingSlots() {
    var slots = (0..<100).map { _ in root.makeSlot() }
    for (index, slot) in slots.enumerated() { wait(slot, "\(index)") }
    var generator = SeededGenerator(seed: 1)
    let ended = slots.indices.shuffled(using: &generator).prefix(50)
    for index in ended { slots[index].end() }
    #expect(log.entries == ended.map { "\($0)" })
    event.trigger()
    #expect(log.entries.count == 100)
    #expect(Set(log.entries).count == 100)
    slots = []
  }
}

/// A value that a test uses on one thread.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
