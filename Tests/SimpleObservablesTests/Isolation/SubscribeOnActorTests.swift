import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// E9: subscriptions that are delivered on an actor.
struct SubscribeOnActorTests {
  private actor Model {
    private let log: Log
    private let received: AsyncStream<Int>.Continuation
    private var tokens: [any SimpleEventToken] = []

    init(_ log: Log, _ received: AsyncStream<Int>.Continuation) {
      self.log = log
      self.received = received
    }

    func subscribe(to subject: PublishSubject<Int>) {
      tokens = [
        subject.subscribe(on: .actor(self)) { value in self.take(value) },
        subject.coalesced(on: .actor(self), policy: .nextTurn).subscribe { value in
          self.log("coalesced \(value)")
        },
      ]
    }

    func stop() { tokens = [] }

    private func take(_ value: Int) {
      log("\(value)")
      received.yield(value)
    }

    private func log(_ entry: String) {
      assertIsolated()
      log.add(entry)
    }
  }

  @Test("E9: blocks of an actor are called on the actor, in order, and not flagged")
  func actor() async {
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    let log = Log()
    let subject = PublishSubject<Int>()
    let model = Model(log, continuation)
    await model.subscribe(to: subject)
    for value in 1...3 { subject.update(value) }
    var iterator = values.makeAsyncIterator()
    for value in 1...3 { #expect(await iterator.next() == value) }
    await model.stop()
    // A call off the actor would have stopped the program.
    #expect(log.entries.filter { !$0.hasPrefix("coalesced") } == ["1", "2", "3"])
  }
}
