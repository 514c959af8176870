import SimpleEvents
import SimpleEventsTesting
import Testing
import coalesce

/// Timelines drawn as pictures.
struct TimelineSVGTests {
  private static let storm = [0, 40, 80, 120, 160, 200, 240, 500, 540].map { Duration.milliseconds($0) }

  @Test("Timeline.svg: a picture has a mark for each event and delivery, and escaped titles")
  func picture() {
    let row = Timeline.Row("a < b & c", of: Self.storm, by: .audit(.milliseconds(100)))
    let picture = Timeline([Timeline.Row(events: Self.storm), row]).svg
    #expect(picture.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(picture.hasSuffix("</svg>\n"))
    #expect(picture.split(separator: "class=\"event\"").count == 1 + 9)
    #expect(picture.split(separator: "class=\"delivery\"").count == 1 + 4)
    #expect(picture.split(separator: "class=\"window\"").count == 1 + 4)
    #expect(picture.contains(">a &lt; b &amp; c</text>"))
    #expect(picture.contains("prefers-color-scheme: dark"))
  }

  @Test("Timeline.svg: the same events give the same picture")
  func repeatable() {
    let pictures = (0..<3).map { _ in
      Timeline(events: Self.storm, policies: ["throttle": .throttle(.milliseconds(100))]).svg
    }
    #expect(Set(pictures).count == 1)
  }

  @Test("Timeline.svg: markup with an accent is escaped")
  func accents() {
    let picture = Timeline([Timeline.Row("<\u{301} &\u{301}", marks: [])]).svg
    #expect(picture.contains(">&lt;\u{301} &amp;\u{301}</text>"))
  }

  @Test("Timeline.svg: characters that XML excludes are replaced")
  func excludedCharacters() {
    let picture = Timeline([Timeline.Row("a\u{FFFE}\u{FFFF}\u{0}\u{1B}\tb\u{10FFFF}", marks: [])]).svg
    #expect(picture.contains(">a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\tb\u{10FFFF}</text>"))
  }
}
