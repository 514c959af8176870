import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// The wait of a loop over `values`, without tasks. The tests choose the order of the calls.
struct ReceivedValuesTests {
  private let received = ReceivedValues<Int>(buffering: .unbounded)
  private let log = Log()

  private func wait(_ name: String) { received.wait { [log] in log.add("\(name) \($0)") } }

  @Test(
    "V4: an end or a value that comes between the check and the wait ends the wait", arguments: [true, false])
  func endBeforeWait(hasEnded: Bool) throws {
    #expect(try received.take() == nil)
    if hasEnded { received.end(.finished) } else { received.add(1) }
    wait("loop")
    #expect(log.entries == ["loop reached"])
    #expect(try received.take() == .some(hasEnded ? nil : 1))
  }

  @Test("V4: a cancellation between the check and the wait ends the wait")
  func cancellationBeforeWait() throws {
    #expect(try received.take() == nil)
    received.cancel()
    wait("loop")
    #expect(log.entries == ["loop reached"])
    #expect(try received.take() == .some(nil))
  }

  @Test("V1: a wait ends once, by the first value, and a second wait ends the first wait")
  func waits() throws {
    wait("first")
    wait("second")
    received.add(1)
    received.add(2)
    received.end(.finished)
    #expect(log.entries == ["first cancelled", "second reached"])
    #expect(try [received.take(), received.take(), received.take()] == [.some(1), .some(2), .some(nil)])
  }
}
