import SimpleEvents
import TestSupport
import Testing

/// H6: a diagnostic names the label of its subject and the line that is at fault.
///
/// Release builds record the lines of removals and initializers, but not the lines of registrations.
struct CallSiteTests {
  private final class Observer: SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  private let misuses = MisuseLog()
  private let observer = Observer()

  /// Expects one misuse that names a label and a line of this file.
  private func expectSite(
    _ kind: Misuse.Kind, label: String, line: UInt, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(misuses.kinds == [kind], sourceLocation: sourceLocation)
    let misuse = try #require(misuses.all.first, sourceLocation: sourceLocation)
    #expect(misuse.message.contains("\"\(label)\""), sourceLocation: sourceLocation)
    #expect(misuse.fileID == "SimpleEventsTests/CallSiteTests.swift", sourceLocation: sourceLocation)
    #expect(misuse.line == line, sourceLocation: sourceLocation)
    #expect(misuse.message.contains("CallSiteTests.swift:\(line)"), sourceLocation: sourceLocation)
  }

  @Test("CallSite: the description contains the file and the line")
  func description() {
    let site = CallSite()
    let line: UInt = #line - 1
    #expect("\(site)" == "SimpleEventsTests/CallSiteTests.swift:\(line)")
    #expect(site.line == line)
    #expect("\(CallSite(fileID: "A/B.swift", line: 3))" == "A/B.swift:3")
  }

  @Test("H6: an unknown removal from a hub names the line of the removal")
  func removalFromHub() throws {
    let hub = ObserverHub<any SimpleEventObserver>(label: "hub", misuse: misuses.handler)
    hub.remove(observer)
    try expectSite(.notInstalled, label: "hub", line: #line - 1)
  }

  @Test("H6: an unknown removal from an event names the line of the removal")
  func removalFromEvent() throws {
    let event = SimpleEvent(label: "event", misuse: misuses.handler)
    event.removeObserver(observer)
    try expectSite(.notInstalled, label: "event", line: #line - 1)
  }

  @Test("H6: an unknown removal through an existential names the line of the removal")
  func removalThroughExistential() throws {
    let event: any SimpleEventObservable = LazySimpleEvent(label: "lazy", misuse: misuses.handler)
    event.removeObserver(observer)
    try expectSite(.notInstalled, label: "lazy", line: #line - 1)
  }

  @Test("H6: the message about a second addition names its line and the line of the first addition")
  func secondAddition() throws {
    let event = SimpleEvent(label: "event", misuse: misuses.handler)
    event.addObserver(observer)
    let line: UInt = #line - 1
    event.addObserver(observer)
    try expectSite(.addedTwice, label: "event", line: #line - 1)
    #expect(
      !isDebug
        || misuses.messages.first?.contains("It was added at SimpleEventsTests/CallSiteTests.swift:\(line)")
          == true
    )
    event.removeObserver(observer)
  }

  @Test("H6: the diagnostic names the caller of a type that forwards its call site")
  func forwardedSite() throws {
    final class Forwarding {
      private let event: SimpleEvent

      init(_ event: SimpleEvent) {
        self.event = event
      }

      func removeObserver(
        _ observer: any SimpleEventObserver, fileID: StaticString = #fileID, line: UInt = #line
      ) {
        event.removeObserver(observer, at: CallSite(fileID: fileID, line: line))
      }
    }
    let forwarding = Forwarding(SimpleEvent(label: "event", misuse: misuses.handler))
    forwarding.removeObserver(observer)
    try expectSite(.notInstalled, label: "event", line: #line - 1)
  }

  @Test("C8: a policy without edges names the line of the initializer, for every type that coalesces")
  func initializers() throws {
    let policy: CoalescingPolicy = .throttle(.seconds(1), edges: [])
    let source = SimpleEvent()
    var lines: [UInt] = [#line + 1]
    _ = LazySimpleEvent(policy: policy, label: "subject", misuse: misuses.handler)
    lines.append(#line + 1)
    _ = SimpleEventProxy(of: source, policy: policy, label: "subject", misuse: misuses.handler)
    lines.append(#line + 1)
    let group = SimpleEventGroupObserver(
      of: source, policy: policy, label: "subject", misuse: misuses.handler
    ) {
      _ in
    }
    lines.append(#line + 1)
    _ = CoalescingCallback(policy: policy, label: "subject", misuse: misuses.handler) {}
    lines.append(#line + 1)
    _ = CoalescingCollector<Int>(
      policy: policy, keeping: .newest(1), label: "subject", misuse: misuses.handler
    ) { _ in }
    #expect(misuses.kinds == Array(repeating: .noEdges, count: lines.count))
    #expect(misuses.messages.allSatisfy { $0.contains("\"subject\"") })
    #expect(misuses.all.map(\.line) == lines)
    group.remove()
  }
}
