import SimpleEvents
import TestSupport
import Testing

/// The states of a wait, without an owner.
struct CancellableWaitTests {
  private let log = Log()

  @Test("CancellableWait: a wait is resumed once, by the first of its ends")
  func endsOnce() {
    var wait = CancellableWait.new
    let early = wait.begin { [log] in log.add("\($0)") }
    #expect(early == nil && !wait.isOver)
    let resumption = wait.end(.reached)
    let second = wait.end(.cancelled)
    #expect(second == nil && wait.isOver)
    #expect(log.entries == [], "the owner makes the resumption after its lock")
    resumption?()
    #expect(log.entries == ["reached"])
  }

  @Test("CancellableWait: a wait that was cancelled before is resumed where it begins")
  func cancelledBefore() {
    var wait = CancellableWait.new
    let early = wait.end(.cancelled)
    #expect(early == nil)
    let resumption = wait.begin { [log] in log.add("\($0)") }
    #expect(log.entries == [])
    resumption?()
    #expect(log.entries == ["cancelled"])
  }
}
