import Foundation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The table of instants in the article about lodash. The engine computes the instants.
struct LodashTimes {
  /// A row of the table, with instants in milliseconds.
  struct Row: Sendable, CustomTestStringConvertible {
    let policy: String
    let calls: String
    let runs: String

    var testDescription: String { "\(policy): \(calls)" }

    /// Creates a row from a line of the article; nil if the line is not a row of the table.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, cells[2].first?.isNumber == true else { return nil }
      (policy, calls, runs) = (cells[1], cells[2], cells[4])
    }
  }

  private static let rows: [Row] = (try? text().split(separator: "\n").compactMap { Row($0) }) ?? []

  private static let policies: [String: CoalescingPolicy] = {
    let (d, m) = (Duration.milliseconds(100), Duration.milliseconds(250))
    return [
      ".nextTurn": .nextTurn,
      ".debounce(d)": .debounce(d),
      ".debounce(d, maxWait: m)": .debounce(d, maxWait: m),
      ".debounce(d, edges: .leading)": .debounce(d, edges: .leading),
      ".debounce(d, edges: [.leading, .trailing])": .debounce(d, edges: [.leading, .trailing]),
      ".throttle(d)": .throttle(d),
      ".throttle(d, edges: .leading)": .throttle(d, edges: .leading),
      ".throttle(d, edges: .trailing)": .throttle(d, edges: .trailing),
      ".audit(d)": .audit(d),
    ]
  }()

  private static func text() throws -> String {
    try Package.text("Sources/SimpleEvents/SimpleEvents.docc/MigratingFromLodash.md")
  }

  @Test("Documentation: each policy in the article about lodash is declared")
  func policies() throws {
    // A code span that begins with a period is a policy.
    let spans = try Self.text().matches(of: /`(\.[a-z][^`]*)`/).map { String($0.output.1) }
    #expect(Set(spans) == Set(Self.policies.keys))
    #expect(Self.rows.count == 21)
  }

  @Test("Documentation: a callback runs at the instants of the article about lodash", arguments: rows)
  func row(_ row: Row) throws {
    let policy = try #require(Self.policies[row.policy.trimmingCharacters(in: ["`"])])
    let scheduler = TestScheduler()
    let recorder = EventRecorder(on: scheduler)
    let callback = CoalescingCallback(on: scheduler, policy: policy) { recorder.record() }
    for step in row.calls.split(separator: ", ") {
      let words = step.split(separator: " ")
      let instant = try #require(words.last.flatMap { Int($0) })
      // Calls at the same instant are in the same turn.
      if instant > scheduler.milliseconds { scheduler.advance(toMilliseconds: instant) }
      switch words[0] {
      case "flush": callback.flush()
      case "cancel": callback.cancel()
      default: callback.schedule()
      }
    }
    scheduler.advance(by: .seconds(1))
    #expect(recorder.milliseconds.map(String.init).joined(separator: ", ") == row.runs)
  }
}
