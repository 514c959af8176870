import SimpleEvents
import SimpleObservables
import Synchronization
import TestSupport
import Testing

/// V7, V9: values that another thread sends and that are delivered on actors of every kind.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ObserveOnActorTests {
  enum Kind: CaseIterable {
    case standard, knowing, mute
  }

  private actor Plain {
    func run(_ body: @Sendable () -> Void) { body() }
  }

  private static let count: Int = Stress.rounds(1_000_000)

  private func actor(_ kind: Kind) -> any Actor {
    switch kind {
    case .standard: Plain()
    case .knowing: ActorOnExecutor(KnowingExecutor())
    case .mute: ActorOnExecutor(MuteExecutor())
    }
  }

  /// Sends values from another thread to a subscriber on an actor. Returns the number of calls, and the
  /// number of calls off the actor.
  private func send(
    to actor: any Actor, by operation: (Observable<Int>, ActorScheduler) -> Observable<Int>
  ) async -> (calls: Int, off: Int, last: Int) {
    let subject = PublishSubject<Int>()
    let calls = Atomic(0)
    let off = Atomic(0)
    let last = Atomic(-1)
    var token: (any SimpleEventToken)?
    await withCheckedContinuation { continuation in
      // The subscription has no isolation, so that no call is flagged.
      token = operation(subject.asObservable(), ActorScheduler(actor)).subscribe(
        onNext: { @Sendable value in
          calls.add(1, ordering: .relaxed)
          last.store(value, ordering: .relaxed)
          if actor.isCurrent != true { off.add(1, ordering: .relaxed) }
        },
        onDone: { @Sendable in
          if actor.isCurrent != true { off.add(1, ordering: .relaxed) }
          continuation.resume()
        })
      onThreads(1) { _ in
        for value in 0..<Self.count { subject.update(value) }
        subject.finish()
      }
    }
    token?.remove()
    return (
      calls.load(ordering: .relaxed), off.load(ordering: .relaxed), last.load(ordering: .relaxed)
    )
  }

  @Test("V9: every value and the end are delivered on the actor", arguments: Kind.allCases)
  func everyValue(_ kind: Kind) async {
    let result = await send(to: actor(kind)) { $0.observe(on: $1) }
    #expect(result == (Self.count, 0, Self.count - 1))
  }

  @Test(
    "V7, V9: a subscriber that keeps the newest value receives it and the end on the actor",
    arguments: Kind.allCases)
  func newestValue(_ kind: Kind) async {
    let operations: [(Observable<Int>, ActorScheduler) -> Observable<Int>] = [
      { $0.observe(on: $1, buffering: .newest(1)) }, { $0.coalesced(on: $1, policy: .nextTurn) },
      { $0.debounce(.seconds(60), on: $1) }, { $0.sample(every: .seconds(60), on: $1) },
    ]
    for operation in operations {
      let result = await send(to: actor(kind), by: operation)
      #expect(result.off == 0)
      #expect(result.last == Self.count - 1)
    }
  }

  @Test("S7: the first value for a deallocated actor ends the subscription, and nothing is kept")
  func deallocatedActor() {
    let operations: [(Observable<Int>, ActorScheduler) -> Observable<Int>] = [
      { $0.observe(on: $1) }, { $0.observe(on: $1, buffering: .newest(1)) },
      { $0.coalesced(on: $1, policy: .nextTurn) }, { $0.debounce(.milliseconds(1), on: $1) },
      { $0.throttle(.milliseconds(1), on: $1) }, { $0.sample(every: .milliseconds(1), on: $1) },
    ]
    for operation in operations {
      let scheduler = ActorScheduler(Plain())
      let log = Log()
      let subject = PublishSubject<Int>()
      var token: (any SimpleEventToken)?
      do {
        let canary = Canary { log.add("released") }
        token = operation(subject.asObservable(), scheduler).subscribe(
          onNext: { value in withExtendedLifetime(canary) { log.add("\(value)") } },
          onDone: { log.add("end") })
      }
      #expect(log.entries == [])
      subject.update(0)
      #expect(log.entries == ["released"])
      subject.update(1)
      subject.finish()
      #expect(log.entries == ["released"])
      token?.remove()
    }
  }

  @Test("S7: waits for values of a deallocated actor's scheduler end")
  func waits() async throws {
    let scheduler = ActorScheduler(Plain())
    let silent = PublishSubject<Int>()
    #expect(try await silent.asObservable().first(timeout: .seconds(3600), on: scheduler) == nil)
    #expect(try await Observable<EventInstant>.ticks(every: .seconds(1), on: scheduler).first() == nil)
    var values = silent.observe(on: scheduler).values.makeAsyncIterator()
    silent.update(1)
    #expect(try await values.next() == nil)
  }
}
