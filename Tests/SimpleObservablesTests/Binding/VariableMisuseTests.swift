import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// The misuses of variables stop a debug build with a message. A release build does as the message says.
@Suite(.serialized) struct VariableMisuseTests {
  private struct Opaque {}

  @Test("V4: an assignment to a variable that has ended is flagged in debug builds, and ignored")
  func assignmentAfterEnd() {
    let calls = MisuseLog()
    withMisuseReported(calls.add) {
      let variable = Variable(1)
      variable.finish()
      variable.value = 2
      #expect(variable.value == 1)
      // This is not an assignment: subjects ignore values after their end.
      variable.update(3)
      #expect(variable.value == 1)
    }
    #expect(calls.kinds == (isDebug ? [.setAfterEnd] : []))
  }

  @Test("bind: a variable that is bound to itself is flagged in debug builds, and not bound")
  func boundToItself() {
    let calls = MisuseLog()
    withMisuseReported(calls.add) {
      let number = Variable(1)
      let opaque = Variable(Opaque())
      let tokens = [number.bind(to: number), opaque.bind(to: opaque)]
      number.value = 2
      opaque.value = Opaque()
      #expect(number.value == 2)
      withExtendedLifetime(tokens) {}
    }
    #expect(calls.kinds == (isDebug ? [.boundInCircle, .boundInCircle] : []))
  }

  @Test("bind: bindings that form no circle are not flagged")
  func noCircle() {
    let calls = MisuseLog()
    withMisuseReported(calls.add) {
      let (a, b, c) = (Variable(Opaque()), Variable(Opaque()), Variable(Opaque()))
      let tokens = [b.bind(to: a), c.bind(to: a), c.bind(to: b)]
      // This binding has the opposite direction, and is made after the first binding has ended.
      tokens[0].remove()
      let token = a.bind(to: b)
      withExtendedLifetime((tokens, token)) {}
    }
    #expect(calls.kinds == [])
  }

  // Publishers exist only on Apple platforms, but the text of the message can be checked everywhere.
  @Test("neverFailingPublisher: the message about an error names the error, the place and the remedy")
  func unexpectedError() {
    let subject = DiagnosticSubject(PublishSubject<Int>.self)
    let misuse = Misuse.unexpectedError(Broken(), of: subject, at: CallSite())
    let line = #line - 1
    let parts = [
      "A PublishSubject<Int> failed", "VariableMisuseTests.swift:\(line)", "The error: broken.",
      "Use the property 'publisher'", "In a release build the publisher finishes",
    ]
    for part in parts { #expect(misuse.message.contains(part), "\(misuse.message)") }
    #expect(misuse.kind == .unexpectedError)
  }

  @Test("V4: the misuse of a variable stops a debug build with a message", arguments: VariableMisuse.allCases)
  func message(_ misuse: VariableMisuse) async {
    // In a release build, the variables of a circle set each other without end.
    guard isDebug || misuse != .circle else { return }
    let outcome: ExitTest.Condition = isDebug ? .failure : .success
    let result = await #expect(processExitsWith: outcome, observing: [\.standardErrorContent]) {
      [misuse = misuse as VariableMisuse] in
      misuse.commit()
    }
    guard isDebug, let result else { return }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    for part in misuse.parts + ["Fatal error: SimpleEvents misuse: ", "In a release build"] {
      #expect(message.contains(part), "\(message)")
    }
  }
}

/// A misuse of a variable that a test makes in a separate process.
enum VariableMisuse: String, CaseIterable, Codable, Sendable {
  case assignmentAfterEnd
  case boundToItself
  case circle

  private struct Opaque {}

  /// The texts that the message contains.
  var parts: [String] {
    switch self {
    case .assignmentAfterEnd:
      ["A Variable<Int> was set after it had finished", "do not end it", "is ignored"]
    case .boundToItself: ["A Variable<Int> was bound to itself", "VariableMisuseTests.swift:", "no effect"]
    case .circle: ["A Variable<", "to a variable that follows it", "VariableMisuseTests.swift:", "Equatable"]
    }
  }

  func commit() {
    switch self {
    case .assignmentAfterEnd:
      let variable = Variable(1)
      variable.fail(Broken())
      variable.value = 2
    case .boundToItself:
      let variable = Variable(1)
      variable.bind(to: variable).remove()
    case .circle:
      let (a, b, c) = (Variable(Opaque()), Variable(Opaque()), Variable(Opaque()))
      let tokens = [b.bind(to: a), c.bind(to: b), a.bind(to: c)]
      withExtendedLifetime(tokens) {}
    }
  }
}
