import SimpleEvents
import TestSupport
import Testing

/// C8 for a group observer whose timeout is in seconds, on the main queue.
@MainActor
struct DebounceTimeoutTests {
  private let event = SimpleEvent()
  private let misuses = MisuseLog()
  private let deliveries = Log()

  private func observe(timeout: Double) -> SimpleEventGroupObserver {
    SimpleEventGroupObserver(events: event, debounceTimeout: timeout, misuse: misuses.handler) {
      [deliveries] fired in deliveries.add("\(fired.count)")
    }
  }

  @Test("C8: a timeout that is not a number is flagged, and means the next turn")
  func notANumber() async {
    let observer = observe(timeout: .nan)
    #expect(misuses.kinds == [.notANumber])
    #expect(misuses.all[0].fileID == "SimpleEventsTests/DebounceTimeoutTests.swift")
    event.trigger()
    #expect(deliveries.entries == [])
    await mainQueueTurn()
    #expect(deliveries.entries == ["1"])
    observer.remove()
  }

  @Test("C8: a timeout of zero or less means the next turn", arguments: [0, -1, -1e300, -Double.infinity])
  func zeroOrLess(_ timeout: Double) async {
    let observer = observe(timeout: timeout)
    event.trigger()
    #expect(deliveries.entries == [])
    await mainQueueTurn()
    #expect(deliveries.entries == ["1"])
    #expect(misuses.kinds == [])
    observer.remove()
  }

  @Test("C8: a window with a huge or infinite timeout does not end", arguments: [1e300, Double.infinity])
  func hugeTimeout(_ timeout: Double) async {
    let observer = observe(timeout: timeout)
    event.trigger()
    await mainQueueTurn()
    #expect(deliveries.entries == [])
    observer.flush()
    #expect(deliveries.entries == ["1"], "the event was pending")
    #expect(misuses.kinds == [])
    observer.remove()
  }
}
