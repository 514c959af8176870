import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The engine with an owner whose deliveries are asynchronous: the test ends them.
struct CoalescerTests {
  private final class Owner: Wakeable {
    let coalescer: Coalescer
    private let subject: DiagnosticSubject
    private(set) var starts = 0

    init(on scheduler: TestScheduler, _ policy: CoalescingPolicy, misuse: MisuseHandler = .trap) {
      subject = DiagnosticSubject(Self.self, label: nil, misuse: misuse, fileID: #fileID, line: #line)
      coalescer = Coalescer(on: scheduler, policy: policy, subject)
    }

    func signal() { coalescer.signal(for: self) }

    func conclude() -> Bool { coalescer.conclude(for: self) { _ in } }

    func finish() { coalescer.finish(for: self, subject) }

    func wake(_ cause: WakeCause) {
      if coalescer.wake(cause, for: self) == .delivers { starts += 1 }
    }
  }

  private let scheduler = TestScheduler()

  @Test(
    "C1: no delivery starts before an asynchronous one has finished",
    arguments: [.nextTurn, .throttle(.milliseconds(10)), .audit(.milliseconds(10))] as [CoalescingPolicy])
  func noOverlap(_ policy: CoalescingPolicy) {
    let owner = Owner(on: scheduler, policy)
    owner.signal()
    scheduler.run()
    #expect(owner.starts == 1)
    for _ in 0..<3 {
      owner.signal()
      scheduler.advance(by: .milliseconds(50))
    }
    #expect(owner.starts == 1)
    owner.finish()
    #expect(owner.starts == 1)
    scheduler.run()
    #expect(owner.starts == 2)
    owner.finish()
    scheduler.run()
    #expect(owner.starts == 2)
  }

  @Test("C2: a signal between the start and the finish of an asynchronous delivery is not lost")
  func signalDuringDelivery() {
    let owner = Owner(on: scheduler, .nextTurn)
    for delivery in 1...3 {
      owner.signal()
      scheduler.run()
      #expect(owner.starts == 2 * delivery - 1)
      owner.signal()
      owner.finish()
      scheduler.run()
      #expect(owner.starts == 2 * delivery)
      owner.finish()
    }
  }

  @Test("C11: the last delivery does not belong to the row of deliveries before it")
  func lastDelivery() {
    let misuses = MisuseLog()
    let owner = Owner(on: scheduler, .nextTurn, misuse: misuses.handler)
    owner.signal()
    for delivery in 0...FeedbackWatch.limit {
      scheduler.run()
      if delivery < FeedbackWatch.limit { owner.signal() }
      owner.finish()
    }
    let expected: [Misuse.Kind] = isDebug ? [.feedback] : []
    #expect(owner.starts == FeedbackWatch.limit + 1 && misuses.kinds == expected)
    #expect(owner.conclude())
    owner.finish()
    #expect(misuses.kinds == expected)
  }
}
