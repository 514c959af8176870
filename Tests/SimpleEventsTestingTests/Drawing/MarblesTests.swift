import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The timelines of tests, drawn as lines of text.
struct MarblesTests {
  @Test("Marbles: a mark has its own column, and a mark of a group has the column of the parenthesis")
  func parsing() {
    #expect(
      Marbles("-a--(bc)----|").marks == [
        Marbles.Mark(1, "a"), Marbles.Mark(4, "b"), Marbles.Mark(4, "c"), Marbles.Mark(12, "|"),
      ])
    #expect(Marbles("") == Marbles([]))
    #expect(Marbles("---").marks.isEmpty)
  }

  @Test(
    "Marbles: the description is the line of marbles",
    arguments: ["", "a", "--a", "-a--(bc)----|", "(ab)c", "ab(c|)"])
  func lines(_ line: String) {
    #expect("\(Marbles(line))" == line)
  }

  @Test("Marbles: a group that would cover a later mark makes the description a list")
  func crowd() {
    let marks = [Marbles.Mark(4, "a"), Marbles.Mark(4, "b"), Marbles.Mark(6, "c")]
    #expect("\(Marbles(marks))" == "4 a, 4 b, 6 c")
  }

  @Test("MarbleTimeline: the expected line is under the actual one, with a mark under the first difference")
  func comparison() {
    let timeline = MarbleTimeline(
      """
      a-b---c
      ----b---c
      """)
    #expect(
      timeline.comparison(with: Marbles("----b----c")) == """
        events    a-b---c
        actual    ----b----c
        expected  ----b---c
                          ^
        """)
  }

  @Test("expectTimeline: a failure is one issue, with the two lines in its comment")
  func failure() {
    let drawing = """
      a-b
      -----b
      """
    withKnownIssue {
      expectTimeline(drawing, by: .debounce(.milliseconds(2)))
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """

        events    a-b
        actual    ----b
        expected  -----b
                      ^
        """
      ]
    }
  }

  @Test("expectTimeline: a missing column at the end of the deliveries is a failure")
  func missing() {
    withKnownIssue {
      expectTimeline("a-b\n", by: .debounce(.milliseconds(2)))
    }
  }

  @Test("expectTimeline: a delivery is named after its newest event")
  func names() {
    expectTimeline(
      """
      a-b------c
      a----b----c
      """, by: .throttle(.milliseconds(5)))
    expectTimeline(
      """
      ab-c
      ------c
      """, by: .debounce(.milliseconds(30)), unit: .milliseconds(10))
  }

  @Test("MarbleLog: a mark between two columns is not mistaken for one on a column")
  func betweenColumns() {
    let timeline = MarbleTimeline("a\n--~")
    #expect(
      timeline.events.deliveries(by: .debounce(.milliseconds(25)), unit: .milliseconds(10))
        == timeline.expected)
  }
}
