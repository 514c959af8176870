import SimpleEvents
import TestSupport
import Testing

/// H6, E3, E9, C7 to C11, R1, S3, S4, L5 to L7: every misuse stops a debug build with a message. No misuse
/// stops a release build.
@Suite(.serialized) struct DiagnosticsTests {
  @Test(
    "H6, E3, E9, C7 to C11, R1, S3, S4, L5, L6: misuse stops only a debug build, with a message",
    arguments: MisuseScenario.allCases)
  func misuse(_ scenario: MisuseScenario) async {
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
    for part in scenario.parts + ["In a release build"] {
      #expect(message.contains(part), "\(scenario): \(message)")
    }
    let site = lines.last { $0.hasPrefix("site ") }?.dropFirst(5) ?? "?"
    // The site is both the location of the fatal error and part of the message.
    #expect(message.hasPrefix("\(site): Fatal error"), "\(message)")
    #expect(message.dropFirst(site.count).contains(site), "\(message)")
  }

  @Test("MisuseHandler: .trap stops debug and release builds")
  func trap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hub = ObserverHub<AnyObject>(label: "strict", misuse: .trap)
      hub.remove(hub)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("SimpleEvents misuse: "))
    #expect(text.contains("\"strict\""))
  }

  @Test("MisuseHandler: .report receives the misuse and its message")
  func report() {
    let misuses = MisuseLog()
    let event = SimpleEvent(misuse: misuses.handler)
    event.removeObserver(Observer())
    #expect(misuses.messages.count == 1)
    #expect(misuses.messages.first?.contains("not installed") == true)
  }

  private final class Observer: SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }
}
