import SimpleEvents
import TestSupport
import Testing

/// N1 to N4 without tasks: the cursors of iterators. A wait resumes a closure in place of a continuation.
struct NotificationCursorTests {
  private let event = SimpleEvent()
  private let source: NotificationCounter
  private let root: NotificationCursor
  private let misuses = MisuseLog()
  private let log = Log()

  init() {
    source = NotificationCounter(
      DiagnosticSubject(
        SimpleEvent.self, label: "model", misuse: misuses.handler, fileID: #fileID, line: #line))
    root = NotificationCursor(of: source)
    source.keep(event.addObserver(at: CallSite()) { @Sendable [source] _ in source.signal() })
  }

  private var hasObserver: Bool { event.debugDescription.contains("block") }

  private func wait(_ cursor: NotificationCursor, _ name: String) {
    cursor.wait { [log] _ in log.add(name) }
  }

  @Test("N1: a later cursor receives a notification that was sent after the creation of the first cursor")
  func laterSlot() {
    let before = root.makeCursor()
    #expect(!before.consume())
    event.trigger()
    let after = root.makeCursor()
    #expect(after.consume())
    #expect(!after.consume())
    #expect(before.consume())
  }

  @Test("N2: notifications between two takes count as one, and none is lost")
  func coalesces() {
    let cursor = root.makeCursor()
    for _ in 0..<3 { event.trigger() }
    #expect(cursor.consume())
    #expect(!cursor.consume())
    event.trigger()
    wait(cursor, "immediately")
    #expect(log.entries == ["immediately"], "a cursor that has something to take does not wait")
    #expect(cursor.consume())
    wait(cursor, "woken")
    #expect(log.entries == ["immediately"])
    event.trigger()
    event.trigger()
    #expect(log.entries == ["immediately", "woken"])
    #expect(cursor.consume())
    #expect(!cursor.consume())
  }

  @Test("N2: each cursor has its own notifications")
  func independentSlots() {
    let cursors = (0..<3).map { _ in root.makeCursor() }
    for (index, cursor) in cursors.enumerated() { wait(cursor, "\(index)") }
    cursors[0].end()
    #expect(log.entries == ["0"])
    event.trigger()
    #expect(log.entries.sorted() == ["0", "1", "2"])
    #expect(cursors.map { $0.consume() } == [false, true, true])
  }

  @Test("N3: the end of the last cursor removes the observer before it wakes the cursor")
  func endRemovesObserver() {
    let cursor = NotificationCursor(of: source)
    root.end()
    #expect(hasObserver)
    let hadObserver = Log()
    cursor.wait { [event = Unchecked(event)] _ in
      hadObserver.add("\(event.value.debugDescription.contains("block"))")
    }
    cursor.end()
    #expect(hadObserver.entries == ["false"])
    cursor.end()
    wait(cursor, "ended")
    #expect(log.entries == ["ended"])
    event.trigger()
    #expect(!cursor.consume())
  }

  @Test("N3: the release of the last cursor removes the observer")
  func releaseRemovesObserver() {
    root.end()
    #expect(!hasObserver, "a root without iterators")
    source.keep(event.addObserver(at: CallSite()) { _ in })
    #expect(!hasObserver, "a registration that comes too late")
  }

  @Test("N3: after the end of the event a cursor takes the pending notification, and then ends")
  func endOfEvent() {
    let (pending, waiting) = (root.makeCursor(), root.makeCursor())
    event.trigger()
    #expect(waiting.consume())
    wait(waiting, "waiting")
    source.finish()
    #expect(log.entries == ["waiting"])
    #expect(!waiting.consume())
    #expect(pending.consume())
    wait(pending, "pending")
    #expect(log.entries == ["waiting", "pending"])
    #expect(!pending.consume())
    let late = root.makeCursor()
    #expect(late.consume())
    source.finish()
  }

  @Test("N4: a second wait at one cursor is flagged, and ends the first wait")
  func secondWait() {
    let cursor = root.makeCursor()
    wait(cursor, "first")
    wait(cursor, "second")
    #expect(misuses.kinds == [.sharedIterator])
    #expect(misuses.messages.allSatisfy { $0.contains("\"model\"") })
    #expect(log.entries == ["first"])
    #expect(!cursor.consume())
    event.trigger()
    #expect(log.entries == ["first", "second"])
    #expect(cursor.consume())
  }

  @Test("N2: cursors that wait and end in turn leave no memory behind")
  func waitingSlots() {
    var cursors = (0..<100).map { _ in root.makeCursor() }
    for (index, cursor) in cursors.enumerated() { wait(cursor, "\(index)") }
    var generator = SeededGenerator(seed: 1)
    let ended = cursors.indices.shuffled(using: &generator).prefix(50)
    for index in ended { cursors[index].end() }
    #expect(log.entries == ended.map { "\($0)" })
    event.trigger()
    #expect(log.entries.count == 100)
    #expect(Set(log.entries).count == 100)
    cursors = []
  }
}

/// A value that a test uses on only one thread.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
