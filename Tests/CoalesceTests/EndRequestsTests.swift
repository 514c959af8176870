import Foundation
import SimpleEvents
import Testing
import coalesce

/// The meaning of a further signal at given instants.
struct EndRequestsTests {
  private static let start: EventInstant = EventInstant(nanoseconds: 7)

  /// Returns the meanings of signals. Each signal has its time after the first one.
  private func meanings(_ signals: (Int32, Duration)...) -> [EndRequests.Meaning] {
    var requests = EndRequests()
    return signals.map { requests.meaning(of: $0, at: Self.start.advanced(by: $1)) }
  }

  @Test("EndRequests: the same signal within half a second is the same request")
  func repetition() {
    #expect(
      meanings((SIGHUP, .zero), (SIGHUP, .zero), (SIGHUP, .microseconds(500)), (SIGHUP, .milliseconds(500)))
        == [.end, .repetition, .repetition, .repetition])
  }

  @Test("EndRequests: half a second is measured from the first signal, not from the latest")
  func lateRepetition() {
    let late = EndRequests.repetitionTime + .nanoseconds(1)
    #expect(
      meanings((SIGTERM, .zero), (SIGTERM, .milliseconds(400)), (SIGTERM, late)) == [
        .end, .repetition, .exit,
      ]
    )
  }

  @Test("EndRequests: another signal is a second request at any time")
  func anotherSignal() {
    #expect(meanings((SIGTERM, .zero), (SIGINT, .zero)) == [.end, .exit])
    #expect(meanings((SIGINT, .zero), (SIGHUP, .seconds(1))) == [.end, .exit])
    #expect(meanings((SIGHUP, .zero), (SIGHUP, .zero), (SIGTERM, .zero)) == [.end, .repetition, .exit])
  }
}
