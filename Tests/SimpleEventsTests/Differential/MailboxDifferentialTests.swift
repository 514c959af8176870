import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Compares the mailbox with a naive model on thousands of random programs.
struct MailboxDifferentialTests {
  @Test("M1, M2: a mailbox agrees with the naive model on random programs")
  func agreesWithModel() {
    for seed in Stress.seeds(10_000) {
      let program = MailboxProgram(seed: seed)
      guard mailbox(program) == model(program) else {
        return report(seed, program)
      }
    }
  }

  /// Runs a program on the mailbox, and returns its observable effects.
  private func mailbox(_ program: MailboxProgram) -> [String] {
    let log = Log()
    let scheduler = TestScheduler()
    let event = LazySimpleEvent(on: scheduler)
    let box = SimpleMailbox<Int?>(event: event)
    var callbacks = program.callbacks[...]

    func take(_ step: MailboxStep) {
      switch step {
      case .replaceEvenIfSame(let value): box.replaceEvenIfSame(value)
      case .replace(let value): box.replace(value)
      case .placeIfFits(let value): log.add("fits \(box.placeIfFits(value))")
      case .take: log.add("took \(String(describing: box.take()))")
      case .look: log.add("has \(String(describing: box.value)) \(box.hasValue)")
      case .turn: scheduler.run()
      }
    }

    let token = event.addObserver { _ in
      log.add("notified")
      callbacks.popFirst().map(take)
    }
    program.steps.forEach(take)
    take(.turn)
    withExtendedLifetime(token) {}
    return log.entries
  }

  /// Runs a program on the model: a list of at most one value, and a flag.
  private func model(_ program: MailboxProgram) -> [String] {
    var trace: [String] = []
    var box: [Int?] = []
    var isTriggered = false
    var callbacks = program.callbacks[...]

    func put(_ value: Int?) {
      box = [value]
      isTriggered = true
    }

    func take(_ step: MailboxStep) {
      switch step {
      case .replaceEvenIfSame(let value): put(value)
      case .replace(let value):
        if box != [value] { put(value) }
      case .placeIfFits(let value):
        trace.append("fits \(box.isEmpty)")
        if box.isEmpty { put(value) }
      case .take:
        isTriggered = isTriggered || !box.isEmpty
        trace.append("took \(String(describing: box.popLast()))")
      case .look:
        trace.append("has \(String(describing: box.first)) \(!box.isEmpty)")
      case .turn:
        while isTriggered {
          isTriggered = false
          trace.append("notified")
          callbacks.popFirst().map(take)
        }
      }
    }

    program.steps.forEach(take)
    take(.turn)
    return trace
  }

  /// Records the shortest prefix of a program on which the mailbox and the model differ.
  private func report(_ seed: UInt64, _ program: MailboxProgram) {
    for length in 1...program.steps.count {
      var prefix = program
      prefix.steps = Array(program.steps.prefix(length))
      let (expected, actual) = (model(prefix), mailbox(prefix))
      if actual != expected {
        Issue.record(
          """
          seed \(seed), \(length) steps:
          \(prefix.steps)
          callbacks:
          \(prefix.callbacks)
          model   \(expected.joined(separator: ", "))
          mailbox \(actual.joined(separator: ", "))
          """)
        return
      }
    }
  }
}
