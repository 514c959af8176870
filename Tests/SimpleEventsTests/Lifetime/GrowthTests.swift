#if canImport(Glibc) && arch(x86_64)
  import Dispatch
  import Glibc
  import SimpleEvents
  import SimpleEventsTesting
  import TestSupport
  import Testing

  /// Coming and going for ever leaves nothing behind. In processes of their own, where nothing else allocates.
  @Suite(.serialized, .enabled(if: !Stress.isSanitized, "a sanitizer keeps a heap of its own"))
  struct GrowthTests {
    @Test func `H9: 10^6 observers that come and go leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        let hub = ObserverHub<Guest>()
        let standing = (0..<100).map { _ in Guest() }
        standing.forEach { hub.add($0) }
        requireNoGrowth(rounds: 1_000_000) { round in
          let guest = Guest()
          hub.add(guest)
          if round % 64 == 0 { hub.forEach { _ in } }
          hub.remove(guest)
        }
        requireNoGrowth(rounds: 1_000_000) { round in
          hub.remove(standing[round % 100])
          hub.add(standing[round % 100])
        }
        standing.forEach { hub.remove($0) }
      }
    }

    @Test func `H9: 10^6 observers that die unremoved leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        let hub = ObserverHub<any GuestOfOneThread>(misuse: .report { _ in })
        requireNoGrowth(rounds: 1_000_000) { _ in hub.add(LocalGuest()) }
        // Where other threads might be about to remove them, the lost ones are remembered.
        let sharedHub = ObserverHub<Guest>(misuse: .report { _ in })
        requireNoGrowth(rounds: 1_000_000) { round in
          sharedHub.add(Guest())
          if round % 64 == 0 { sharedHub.forEach { _ in } }
        }
      }
    }

    @Test func `H9: the memory of observers that died goes in the next cycle`() async {
      await #expect(processExitsWith: .success) {
        let hub = ObserverHub<any GuestOfOneThread>(misuse: .report { _ in })
        let event = SimpleEvent(misuse: .report { _ in })
        let visit = {
          hub.forEach { _ in }
          event.trigger()
        }
        visit()
        let before = heapBytes()
        for _ in 0..<4 {
          hub.add(makeLargeGuest())
          event.addObserver(makeLargeGuest())
        }
        visit()
        let kept = heapBytes() - before
        if kept > 1 << 19 {
          fatalError("\(kept) bytes of dead observers were kept")
        }
      }
    }

    @Test func `H9, E5: 10^6 tokens that come and go leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        let event = SimpleEvent()
        let standing = (0..<100).map { _ in event.addObserver { _ in } }
        requireNoGrowth(rounds: 1_000_000) { round in
          let token = event.addObserver(isolation: nil) { _ in }
          if round % 64 == 0 { event.trigger() }
          token?.remove()
        }
        withExtendedLifetime(standing) {}
      }
    }

    @Test func `C3: 10^6 requests, cancels and dropped callbacks leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        let queue = DispatchQueue(label: "growth")
        let timed = CoalescingCallback(queue: queue, policy: .debounce(.seconds(1000))) {}
        requireNoGrowth(rounds: 1_000_000) { round in
          timed.schedule()
          if round % 4 == 0 { timed.cancel() }
          // What dispatch has been asked to release it releases on the queue.
          if round % 256 == 255 { awaitDisposal(on: queue) }
        }
        requireNoGrowth(rounds: 200_000) { round in
          let callback = CoalescingCallback(queue: queue, policy: .audit(.seconds(1000))) {}
          callback.schedule()
          if round % 256 == 255 { awaitDisposal(on: queue) }
        }
        timed.cancel()
      }
    }

    @Test func `M1: 10^6 values put and taken leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        let scheduler = TestScheduler()
        let box = SimpleMailbox<Guest>(event: LazySimpleEvent(scheduler: scheduler))
        requireNoGrowth(rounds: 1_000_000) { round in
          box.replaceEvenIfSame(Guest())
          if round % 2 == 0 { _ = box.take() }
          if round % 64 == 0 { scheduler.run() }
        }
      }
    }
  }

  private final class Guest: Sendable {}
  private protocol GuestOfOneThread: AnyObject {}
  private final class LocalGuest: GuestOfOneThread {}

  /// Has a megabyte of its own.
  private final class LargeGuest: ManagedBuffer<Void, UInt8>, GuestOfOneThread, SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  private func makeLargeGuest() -> LargeGuest {
    unsafeDowncast(LargeGuest.create(minimumCapacity: 1 << 20) { _ in }, to: LargeGuest.self)
  }

  /// Does something many times, and stops the process if more than a little memory is kept afterwards.
  ///
  /// What is allowed for is what threads bring along, some 90 kB each: a block kept in every round is many
  /// times that.
  private func requireNoGrowth(rounds: Int, _ body: (Int) -> Void) {
    // A multiple of every period that the bodies have.
    let rounds = (Stress.rounds(rounds) + 6399) / 6400 * 6400
    // Whatever is made once, and kept, is made by now.
    for round in 0..<6400 { body(round) }
    let before = heapBytes()
    for round in 0..<rounds { body(round) }
    let after = heapBytes()
    let allowed = 262_144 + rounds / 10
    if after > before + allowed {
      fatalError("\(after - before) bytes were kept after \(rounds) rounds, allowed are \(allowed)")
    }
  }

  /// Waits until dispatch has disposed of the timers of a queue that were cancelled so far.
  ///
  /// It does so on a thread of its own, one after the other, so that one more timer tells when it is done.
  private func awaitDisposal(on queue: DispatchQueue) {
    // An idle timer is cancelled on the queue.
    queue.sync {}
    let isDone = DispatchSemaphore(value: 0)
    let last = DispatchSource.makeTimerSource(queue: queue)
    last.setCancelHandler { isDone.signal() }
    last.schedule(deadline: .distantFuture)
    last.activate()
    last.cancel()
    isDone.wait()
  }

  /// How much of the heap is in use.
  ///
  /// The header of `mallinfo2` is not part of the Glibc module, so it is found by name. NB: its result is a
  /// structure of ten words, which the calling convention of this architecture returns through a hidden
  /// first argument.
  private func heapBytes() -> Int {
    typealias Function = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer
    let function = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "mallinfo2"), to: Function.self)
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 10) { words in
      _ = function(words.baseAddress!)
      // `hblkhd`, blocks mapped one by one, and `uordblks`, all others.
      return words[4] + words[7]
    }
  }
#endif
