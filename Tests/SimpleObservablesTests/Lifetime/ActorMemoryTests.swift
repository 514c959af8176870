#if canImport(Glibc) && arch(x86_64)
  import Dispatch
  import SimpleEvents
  import SimpleObservables
  import TestSupport
  import Testing

  /// V7: the memory that values use while an actor is busy, measured in processes in which no other test
  /// allocates.
  @Suite(.serialized, .enabled(if: !Stress.isSanitized, "a sanitizer brings its own allocator"))
  struct ActorMemoryTests {
    private actor Plain {}

    @Test("V7: a busy actor keeps one value of a million, whatever its executor knows about the caller")
    func newestValue() async {
      await #expect(processExitsWith: .success) {
        let actors: [any Actor] = [
          Plain(), ActorOnExecutor(KnowingExecutor()), ActorOnExecutor(MuteExecutor()),
        ]
        for actor in actors {
          await requireOneValue(of: actor) { $0.observe(on: $1, buffering: .newest(1)) }
          await requireOneValue(of: actor) { $0.coalesced(on: $1, policy: .nextTurn) }
        }
      }
    }
  }

  /// Sends values to a subscriber on a busy actor, and stops the process if the values use memory.
  private func requireOneValue(
    of actor: any Actor, by operation: (Observable<Int>, ActorScheduler) -> Observable<Int>
  ) async {
    let scheduler = ActorScheduler(actor)
    let hasBegun = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let subject = PublishSubject<Int>()
    let delivered = Log()
    let token = operation(subject.asObservable(), scheduler).subscribe { @Sendable in delivered.add("\($0)") }
    scheduler.schedule {
      hasBegun.signal()
      end.wait()
    }
    hasBegun.wait()
    for value in 0..<1000 { subject.update(value) }
    let count = Stress.rounds(1_000_000)
    let before = heapBytes()
    for value in 0..<count { subject.update(value) }
    let growth = heapBytes() - before
    end.signal()
    await withCheckedContinuation { continuation in
      scheduler.schedule { scheduler.schedule { continuation.resume() } }
    }
    guard growth < 65_536 else { fatalError("\(count) values took \(growth) bytes") }
    guard delivered.entries == ["\(count - 1)"] else { fatalError("delivered \(delivered.entries)") }
    token.remove()
  }
#endif
