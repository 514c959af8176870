import SimpleEvents
import TestSupport
import Testing

/// H6, E3, E9, C7, C8, S3: every misuse is said in words in a debug build, and harmless in a release build.
@Suite(.serialized) struct DiagnosticsTests {
  @Test(arguments: MisuseScenario.allCases)
  func `misuse is flagged in debug builds, and does not trap in release builds`(_ scenario: MisuseScenario)
    async
  {
    let outcome: ExitTest.Condition = isDebug ? .failure : .success
    let result = await #expect(processExitsWith: outcome, observing: [\.standardErrorContent]) {
      [scenario = scenario as MisuseScenario] in
      scenario.run()
    }
    guard isDebug, let result else { return }
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
    guard let message = lines.first(where: { $0.contains("SimpleEvents misuse: ") }) else {
      Issue.record("\(scenario) printed no message: \(lines)")
      return
    }
    for part in scenario.parts {
      #expect(message.contains(part), "\(scenario): \(message)")
    }
    if scenario.hasSite {
      let site = lines.last { $0.hasPrefix("site ") }?.dropFirst(5) ?? "?"
      // Once where fatal errors are located, and once in the text.
      #expect(message.hasPrefix("SimpleEventsTests/MisuseScenario.swift:\(site): Fatal error"), "\(message)")
      #expect(message.dropFirst(60).contains("SimpleEventsTests/MisuseScenario.swift:\(site)"), "\(message)")
    }
  }

  @Test func `trap stops release builds, too`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hub = ObserverHub<AnyObject>(label: "strict", misuse: .trap)
      hub.remove(hub)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("SimpleEvents misuse: "))
    #expect(text.contains("\"strict\""))
  }

  @Test func `a report turns misuse into an issue of the test`() {
    withKnownIssue {
      let event = SimpleEvent(
        misuse: .report { misuse in Issue.record(Comment(rawValue: misuse.message)) })
      event.removeObserver(Stranger())
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("not installed") }
    }
  }

  private final class Stranger: SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }
}
