import Dispatch
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// E9: a subscriber's block that is called on its actor, or that has no actor, is not flagged.
@Suite(.serialized) struct SubscribeOnActorNotFlaggedTests {
  private let queue = DispatchQueue(label: "background")
  private let calls = MisuseLog()
  private let subject = PublishSubject<Int>()

  /// Sends a value on the queue. Expects that the blocks are called and that nothing is flagged.
  private func expectSilence(
    calls count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    whenSending send: @Sendable () -> Void
  ) {
    withMisuseReported(calls.add) { queue.sync(execute: send) }
    #expect(calls.misusesBefore == Array(repeating: 0, count: count), sourceLocation: sourceLocation)
  }

  @Test("E9: a main-actor block of subscribe(on: .main) is not flagged") @MainActor
  func mainQueue() async {
    let tokens = [
      subject.subscribe(on: .main) { [calls] _ in calls.noteCall() },
      subject.subscribe(on: .main) { [calls] _, _ in calls.noteCall() },
      subject.subscribe(on: .main, onNext: { [calls] _ in calls.noteCall() }, onDone: calls.noteCall),
    ]
    // The first value is delivered immediately on the main actor, and the second on a turn of the main queue.
    subject.update(1)
    queue.async { [subject] in
      subject.update(2)
      subject.finish()
    }
    queue.sync {}
    #expect(calls.misusesBefore.count == 3)
    await mainQueueTurn()
    #expect(calls.misusesBefore == Array(repeating: 0, count: 7))
    withExtendedLifetime(tokens) {}
  }

  @Test("E9: a main-actor block is not flagged when the main actor sends the value") @MainActor
  func mainActor() {
    let token = subject.subscribe { [calls] _ in calls.noteCall() }
    subject.update(1)
    #expect(calls.misusesBefore == [0])
    token.remove()
  }

  @Test("E9: a block without isolation is not flagged")
  func nonisolated() {
    let tokens = [
      subject.subscribe { [calls] _ in calls.noteCall() },
      subject.subscribe { [calls] _, _ in calls.noteCall() },
      subject.subscribe(on: queue) { [calls] _ in calls.noteCall() },
      subject.subscribe(on: queue, onNext: { [calls] _ in calls.noteCall() }, onDone: calls.noteCall),
    ]
    expectSilence(calls: 5) { [subject] in
      subject.update(1)
      subject.finish()
    }
    withExtendedLifetime(tokens) {}
  }

  @Test("E9: a Sendable block in code of the main actor is not flagged") @MainActor
  func sendableBlock() {
    let token = subject.subscribe { @Sendable [calls] _ in calls.noteCall() }
    expectSilence { [subject] in subject.update(1) }
    token.remove()
  }

  @Test("E9: a block of an actor that only starts a task is not flagged")
  func blockThatStartsTask() async {
    actor Home {
      private let refreshed: AsyncStream<Void>.Continuation
      private var token: (any SimpleEventToken)?

      init(_ refreshed: AsyncStream<Void>.Continuation) {
        self.refreshed = refreshed
      }

      func observe(_ subject: PublishSubject<Int>, _ calls: MisuseLog) {
        token = subject.subscribe { [weak self] _ in
          calls.noteCall()
          Task { await self?.refresh() }
        }
      }

      private func refresh() { refreshed.yield() }
    }
    let (refreshes, continuation) = AsyncStream.makeStream(of: Void.self)
    let home = Home(continuation)
    await home.observe(subject, calls)
    expectSilence { [subject] in subject.update(1) }
    var iterator = refreshes.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    withExtendedLifetime(home) {}
  }

  @Test("E9: bindings and forwarding by the main actor are not flagged") @MainActor
  func internalBlocks() {
    final class Label {
      var number: Int = 0
      var optional: Int?
    }
    let label = Label()
    let follower = Variable(0)
    let target = PublishSubject<Int>()
    let tokens = [
      subject.bind(to: \.number, on: label), subject.bind(to: \.optional, on: label),
      follower.bind(to: subject), subject.forward(to: target),
      target.subscribe { @Sendable [calls] _ in calls.noteCall() },
    ]
    expectSilence { [subject] in
      subject.update(1)
      subject.finish()
    }
    #expect(label.number == 1)
    #expect(label.optional == 1)
    #expect(follower.value == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test("E9: operators that deliver on a background queue are not flagged") @MainActor
  func internalOperators() {
    let scheduler = TestScheduler()
    let tokens = [
      subject.coalesced(on: scheduler, policy: .nextTurn), subject.observe(on: queue),
      subject.sample(every: .milliseconds(1), on: scheduler),
      subject.withPrevious().map { @Sendable in $0.value },
      Observable.merge(subject), subject.shared(),
    ].map { $0.subscribe { @Sendable [calls] _ in calls.noteCall() } }
    expectSilence(calls: 6) { [subject] in
      subject.update(1)
      scheduler.run()
    }
    withExtendedLifetime(tokens) {}
  }
}
