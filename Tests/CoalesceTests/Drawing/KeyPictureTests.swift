import Foundation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing
import coalesce

/// The picture of windows for keys in the article *The command-line tool*.
struct KeyPictureTests {
  /// The lines of the picture: their instants in milliseconds, and their keys.
  private static let lines: [(instant: Int, key: String)] = [
    (0, "x"), (40, "y"), (80, "x"), (160, "x"), (400, "y"),
  ]

  /// Returns the names of the lines of some keys, in order.
  private func names(_ keys: String) -> [(instant: Duration, name: String)] {
    zip(Self.lines, "abcde").filter { keys.contains($0.0.key) }
      .map { (.milliseconds($0.0.instant), String($0.1)) }
  }

  private func events(_ key: String) -> Timeline.Row {
    Timeline.Row("lines of \(key)", marks: names(key).map { Timeline.Mark(time: $0.instant, label: $0.name) })
  }

  /// Returns the windows and deliveries of the lines of some keys. Each delivery has the name of its newest
  /// line.
  private func deliveries(_ title: String, _ keys: String) -> Timeline.Row {
    let lines = names(keys)
    var row = Timeline.Row(title, of: lines.map(\.instant), by: .debounce(.milliseconds(100)))
    for index in row.marks.indices {
      row.marks[index].label = lines.last { $0.instant < row.marks[index].time }?.name ?? ""
    }
    return row
  }

  private var timeline: Timeline {
    Timeline([
      events("x"), events("y"), deliveries("without --by", "xy"), deliveries("--by, key x", "x"),
      deliveries("--by, key y", "y"),
    ])
  }

  @Test("--by: the picture of the article has the deliveries of the tool")
  func deliveries() throws {
    let scheduler = TestScheduler()
    let script = try KeyedScript("--by 2 --debounce 100ms", on: scheduler)
    for (line, name) in zip(Self.lines, "abcde") { script.add(at: line.instant, "\(name) \(line.key)") }
    scheduler.run()
    let drawn = timeline.rows[3...].flatMap { row in
      let key = row.title.suffix(1)
      return row.marks.map { "\(Int($0.time / .milliseconds(1))) \(key): \($0.label) \(key)" }
    }
    #expect(script.entries.sorted() == drawn.sorted())
    #expect(drawn.count == 3)
  }

  @Test("The command-line tool: the picture of keys is up to date")
  func picture() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let path = root.appendingPathComponent("Sources/SimpleEvents/SimpleEvents.docc/Resources/keys.svg")
    #expect(try String(contentsOf: path, encoding: .utf8) == timeline.svg)
  }
}
