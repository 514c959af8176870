import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

struct TimelineDrawingTests {
  private static let storm = [0, 40, 80, 120, 160, 200, 240, 500, 540].map { Duration.milliseconds($0) }

  @Test("Timeline: prints expected instants over actual ones")
  func comparison() {
    let timeline = Timeline(milliseconds: ["events": [0, 2, 5], "expected": [7], "actual": [8]])
    #expect(
      timeline.text(width: 30) == """
                  0ms       5ms
        events    ●───●─────●──────
        expected  ──────────────●──
        actual    ────────────────●
        """)
    #expect(timeline.description == timeline.text(width: 100))
  }

  @Test("Timeline: draws the windows and deliveries of each policy")
  func policies() {
    let timeline = Timeline(
      events: Self.storm,
      policies: [
        "nextTurn": .nextTurn,
        "debounce": .debounce(.milliseconds(100)),
        "maxWait": .debounce(.milliseconds(100), maxWait: .milliseconds(200)),
        "debounce leading": .debounce(.milliseconds(100), edges: .leading),
        "debounce both": .debounce(.milliseconds(100), edges: [.leading, .trailing]),
        "throttle": .throttle(.milliseconds(100)),
        "throttle leading": .throttle(.milliseconds(100), edges: .leading),
        "throttle trailing": .throttle(.milliseconds(100), edges: .trailing),
        "audit": .audit(.milliseconds(100)),
      ])
    #expect(
      timeline.text(width: 60, isASCII: true) == """
                           0ms       200ms     400ms     600ms
        events             a-b-c-d-e-f-g------------h-i--------
        nextTurn           a-b-c-d-e-f-g------------h-i--------
        debounce           =================g-------=======i---
        maxWait            ==========f======g-------=======i---
        debounce leading   a================--------h======----
        debounce both      a================g-------h======i---
        throttle           a====c====f====g====-----h====i====-
        throttle leading   a====-d====-g====--------h====------
        throttle trailing  =====c====f====g====-----=====i====-
        audit              =====c=====f=====g-------=====i-----
        """)
  }

  @Test("Timeline: a wider text has a finer scale, and no text is wider than its limit")
  func width() {
    for width in [5, 12, 27, 28, 40, 60, 100, 200] {
      let timeline = Timeline(events: Self.storm, policies: ["audit": .audit(.milliseconds(100))])
      let lines = timeline.text(width: width).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width })
      // A step is at most twice the previous step, so more than half of the columns are used.
      #expect(lines[lines.count - 1].count * 2 > width)
      // The longest title and its margin have 8 columns, and a row needs 20.
      #expect(lines.count == (width < 28 ? 5 : 3))
    }
  }

  @Test("Timeline: titles that leave no room for rows have lines of their own, cut if too long")
  func narrow() {
    let timeline = Timeline(
      events: [.zero, .milliseconds(40), .milliseconds(300)],
      policies: ["debounce-leading": .debounce(.milliseconds(100), edges: .leading)])
    #expect(
      timeline.text(width: 12, isASCII: true) == """
        0ms
        events
        ab-----c---
        debounce-lea
        a==----c==-
        """)
  }

  @Test("Timeline: instants that need ten or more columns do not touch")
  func longInstants() {
    let late = Duration.nanoseconds(Int64.max)
    #expect(Timeline(["a": [.zero, late]]).text(width: 60).hasPrefix("   0s        "))
    let words = Timeline(["a": [.zero, late]]).text(width: 200).split(separator: "\n")[0].split(
      separator: " ")
    #expect(words.count > 5 && words.allSatisfy { $0.hasSuffix("s") && $0.count < 12 })
  }

  @Test("Timeline: several marks in one column are drawn as their number")
  func crowd() {
    let times = [0, 1, 1, 2].map { Duration.nanoseconds($0) } + Array(repeating: .nanoseconds(4), count: 12)
    #expect(Timeline(["a": times]).text(isASCII: true) == "   0ns\na  o2o-+")
  }

  @Test("Timeline: the events after the letters of the alphabet have no names")
  func manyEvents() {
    let timeline = Timeline(events: (0..<60).map { .nanoseconds($0) }, policies: [:])
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    #expect(timeline.text().hasSuffix("events  \(letters)●●●●●●●●"))
    #expect(timeline.rows[0].marks[52].label == "53")
  }

  @Test("Timeline: colours are control sequences around the same characters")
  func colors() {
    let timeline = Timeline(events: Self.storm, policies: ["audit": .audit(.milliseconds(100))])
    let colored = timeline.text(hasColor: true)
    #expect(colored.contains("\u{1B}[36ma\u{1B}[m"))
    #expect(colored.contains("\u{1B}[1;32mc\u{1B}[m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == timeline.text())
  }

  @Test("Timeline: an empty drawing has an axis")
  func empty() {
    #expect(
      Timeline(events: [], policies: ["a": .nextTurn]).text(isASCII: true)
        == "        0ns\nevents  -\na       -")
    #expect(Timeline([]).text() == "  0ns")
  }

  @Test("Timeline: a window without an end is drawn to the last mark")
  func endlessWindow() {
    let timeline = Timeline(
      events: [.zero, .nanoseconds(3)], policies: ["leading": .throttle(.seconds(Int64.max), edges: .leading)]
    )
    #expect(timeline.text(isASCII: true) == "         0ns\nevents   a--b\nleading  a===")
  }

  @Test("Timeline: a policy without edges has no deliveries, and the drawing flags nothing")
  func noEdges() {
    let timeline = Timeline(events: [.zero], policies: ["none": .throttle(.seconds(1), edges: [])])
    #expect(timeline.rows.map(\.marks.count) == [1, 0])
  }

  @Test("Timeline: events at one instant are one delivery, named after the newest")
  func together() {
    let timeline = Timeline(events: [.zero, .zero], policies: ["nextTurn": .nextTurn])
    #expect(timeline.text(isASCII: true) == "          0ns\nevents    2\nnextTurn  b")
  }

  @Test("Timeline: a row has the deliveries of all events, however many", .enabled(if: !isDebug))
  func allDeliveries() {
    let events = (0..<600_000).map { Duration.milliseconds($0) }
    #expect(Timeline.Row("next turn", of: events, by: .nextTurn).marks.count == events.count)
  }

  @Test("Timeline: a mark at the edge of a column is in that column, and distant marks are drawn")
  func edges() {
    let text = Timeline(["a": [.zero, .seconds(21_000), .seconds(60_000)]]).text(isASCII: true)
    let row = text.split(separator: "\n").last.map { Array($0) } ?? []
    // A column is a thousand seconds.
    #expect(row.indices.filter { row[$0] == "o" } == [3, 3 + 21, 3 + 60], "\n\(text)")
    #expect(Timeline(["a": [.seconds(-10_000_000_000), .seconds(Int64.max)]]).text().isEmpty == false)
  }
}
