import Dispatch
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// E9: a subscriber's main-actor block is flagged before a background queue calls it.
///
/// Release builds do not check the isolation of blocks, so they flag nothing. The queue delivers inside
/// `sync`, on the thread of the test, so that the report reaches the test.
@Suite(.serialized) struct SubscribeIsolationTests {
  private let queue = DispatchQueue(label: "background")
  private let calls = MisuseLog()
  private let subject = PublishSubject<Int>()

  /// Sends a value on the queue. Expects that a block that was registered on a line is flagged and then
  /// called.
  private func expectFlag(
    line: UInt, sourceLocation: SourceLocation = #_sourceLocation, whenSending send: () -> Void
  ) {
    withMisuseReported(calls.add) { queue.sync(execute: send) }
    #expect(calls.misusesBefore == (isDebug ? [1] : [0]), sourceLocation: sourceLocation)
    guard isDebug, let misuse = calls.all.first else { return }
    #expect(misuse.kind == .wrongIsolation, sourceLocation: sourceLocation)
    #expect(misuse.line == line, sourceLocation: sourceLocation)
    let site = "SubscribeIsolationTests.swift:\(line)"
    for part in ["A block of PublishSubject<Int>", "MainActor", "@Sendable", site] {
      #expect(misuse.message.contains(part), sourceLocation: sourceLocation)
    }
  }

  @Test("E9: a main-actor block of subscribe(on:) on a background queue is flagged")
  func scheduledValue() {
    let token = subject.subscribe(on: queue) { @MainActor [calls] _ in calls.noteCall() }
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: a main-actor block of subscribe(on:) that takes the old value is flagged")
  func scheduledChange() {
    let token = subject.subscribe(on: queue) { @MainActor [calls] _, _ in calls.noteCall() }
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: the named main-actor blocks of subscribe(on:) are flagged")
  func scheduledNext() {
    let token = subject.subscribe(on: queue, onNext: { @MainActor [calls] _ in calls.noteCall() })
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: a main-actor block for the error of subscribe(on:) is flagged")
  func scheduledError() {
    let token = subject.subscribe(on: queue, onError: { @MainActor [calls] _ in calls.noteCall() })
    expectFlag(line: #line - 1) { subject.fail(Broken()) }
    token.remove()
  }

  @Test("E9: a main-actor block for the end of subscribe(on:) is flagged")
  func scheduledEnd() {
    let token = subject.subscribe(on: queue, onDone: { @MainActor [calls] in calls.noteCall() })
    expectFlag(line: #line - 1) { subject.finish() }
    token.remove()
  }

  @Test("E9: a main-actor block is flagged when a background queue sends the value")
  func value() {
    let token = subject.subscribe { @MainActor [calls] _ in calls.noteCall() }
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: a main-actor block that takes the old value is flagged when a background queue sends")
  func change() {
    let token = subject.subscribe { @MainActor [calls] _, _ in calls.noteCall() }
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: a named main-actor block is flagged when a background queue sends the value")
  func next() {
    let token = subject.subscribe(onNext: { @MainActor [calls] _ in calls.noteCall() }, onDone: {})
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: a main-actor block of subscribeDistinct is flagged when a background queue sends")
  func distinctChange() {
    let token = subject.subscribeDistinct { @MainActor [calls] _, _ in calls.noteCall() }
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: a main-actor filter of subscribe is flagged when a background queue sends the value")
  func filter() {
    let filter: @MainActor (Int, Int?) -> Bool = { [calls] _, _ in
      calls.noteCall()
      return false
    }
    let token = subject.subscribe(filter: filter) { _, _ in }
    expectFlag(line: #line - 1) { subject.update(1) }
    token.remove()
  }

  @Test("E9: a closure has the isolation of the main-actor class in which it is written")
  func inferredIsolation() async {
    let model = await Model(subject, calls)
    await expectFlag(line: model.line) { subject.update(1) }
    await model.stop()
  }

  @Test("E9: a block of an actor is not flagged on that actor, and is flagged off the actor")
  func actorBlock() async {
    actor Home {
      private let calls: MisuseLog
      private var token: (any SimpleEventToken)?

      init(_ calls: MisuseLog) {
        self.calls = calls
      }

      func observe(_ subject: PublishSubject<Int>) {
        token = subject.subscribe { _ in self.note() }
      }

      func send(_ value: Int, to subject: PublishSubject<Int>) {
        subject.update(value)
      }

      func stop() { token = nil }

      private func note() { calls.noteCall() }
    }
    let home = Home(calls)
    await home.observe(subject)
    await home.send(1, to: subject)
    #expect(calls.misusesBefore == [0])
    withMisuseReported(calls.add) { subject.update(2) }
    #expect(calls.misusesBefore == (isDebug ? [0, 1] : [0, 0]))
    await home.stop()
  }

  @Test("E9: a main-actor block on a background queue stops a debug build before it runs")
  func asynchronousDelivery() async {
    let outcome: ExitTest.Condition = isDebug ? .failure : .success
    let result = await #expect(
      processExitsWith: outcome, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      Self.deliverOffMainActor()
    }
    guard let result else { return }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(output.contains("the block runs") == !isDebug)
    guard isDebug else { return }
    let site = output.split(separator: "\n").first { $0.hasPrefix("site ") }?.dropFirst(5) ?? "?"
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.contains("\(site): Fatal error: SimpleEvents misuse: A block of PublishSubject<Int>"))
  }

  // NB: this is a function of its own, because lines are counted differently inside a macro.
  private static func deliverOffMainActor() {
    let queue = DispatchQueue(label: "background")
    let subject = PublishSubject<Int>()
    let token = subject.subscribe(on: queue) { @MainActor _ in print("the block runs") }
    print("site \(#fileID):\(#line - 1)")
    subject.update(1)
    queue.sync {}
    token.remove()
  }

  @MainActor private final class Model {
    private let calls: MisuseLog
    private var token: (any SimpleEventToken)?
    private(set) var line: UInt = 0

    init(_ subject: PublishSubject<Int>, _ calls: MisuseLog) {
      self.calls = calls
      token = subject.subscribe { _ in self.update() }
      line = #line - 1
    }

    func stop() { token = nil }

    private func update() { calls.noteCall() }
  }
}
