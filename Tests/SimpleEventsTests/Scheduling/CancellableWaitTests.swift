import SimpleEvents
import TestSupport
import Testing

/// The states of a wait that has no owner.
struct CancellableWaitTests {
  private let log = Log()

  @Test("CancellableWait: a wait is resumed once, by the first event that ends it")
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

  @Test("CancellableWait: a wait that is cancelled before it begins is resumed when it begins")
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
