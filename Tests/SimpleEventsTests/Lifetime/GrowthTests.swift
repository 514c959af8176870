#if canImport(Glibc) && arch(x86_64)
  import Dispatch
  import Glibc
  import Observation
  import SimpleEvents
  import SimpleEventsTesting
  import TestSupport
  import Testing

  /// The heap in use before and after a million operations, measured in processes in which no other test
  /// allocates.
  @Suite(.serialized, .enabled(if: !Stress.isSanitized, "a sanitizer brings its own allocator"))
  struct GrowthTests {
    @Test("H9: 1,000,000 observers that are added and removed leave no memory behind")
    func observers() async {
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

    @Test("H9: 1,000,000 observers that are deallocated unremoved leave no memory behind")
    func deallocatedObservers() async {
      await #expect(processExitsWith: .success) {
        let hub = ObserverHub<any GuestOfOneThread>(misuse: .report { _ in })
        requireNoGrowth(rounds: 1_000_000) { _ in hub.add(LocalGuest()) }
        // A hub that threads share keeps records of observers that were deallocated without having been
        // removed.
        let sharedHub = ObserverHub<Guest>(misuse: .report { _ in })
        requireNoGrowth(rounds: 1_000_000) { round in
          sharedHub.add(Guest())
          if round % 64 == 0 { sharedHub.forEach { _ in } }
        }
      }
    }

    @Test("H9: the memory of deallocated observers is released in the next cycle")
    func deallocatedLargeObservers() async {
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
          fatalError("\(kept) bytes of deallocated observers are still in use")
        }
      }
    }

    @Test("H9, E5: 1,000,000 tokens that are added and removed leave no memory behind")
    func tokens() async {
      await #expect(processExitsWith: .success) {
        let event = SimpleEvent()
        let standing = (0..<100).map { _ in event.addObserver { _ in } }
        requireNoGrowth(rounds: 1_000_000) { round in
          let token = event.addObserver { _ in }
          if round % 64 == 0 { event.trigger() }
          token?.remove()
        }
        withExtendedLifetime(standing) {}
      }
    }

    @Test("N3, S7: sequences of notifications of an actor's event are released with their iterators")
    func notificationsOnActor() async {
      await #expect(processExitsWith: .success) {
        let event = LazySimpleEvent(on: .actor(MainActor.shared))
        let before = heapBytes()
        var sequences = (0..<1000).map { _ in event.notifications }
        sequences = []
        let growth = heapBytes() - before
        withExtendedLifetime(sequences) {}
        // The list of the event keeps its storage. Each leaked source would take more than a hundred bytes.
        if growth > 100_000 {
          fatalError("the heap grew by \(growth) bytes")
        }
        withExtendedLifetime(event) {}
      }
    }

    @Test("C3: 1,000,000 requests, cancellations and deallocated callbacks leave no memory behind")
    func callbacks() async {
      await #expect(processExitsWith: .success) {
        let queue = DispatchQueue(label: "growth")
        let timed = CoalescingCallback(on: queue, policy: .debounce(.seconds(1000))) {}
        requireNoGrowth(rounds: 1_000_000, allowing: slackOfTimers) { round in
          timed.schedule()
          if round % 4 == 0 { timed.cancel() }
          // Dispatch releases cancelled timers on the queue.
          if round % 256 == 255 { awaitDisposal(on: queue) }
        }
        requireNoGrowth(rounds: 200_000, allowing: slackOfTimers) { round in
          let callback = CoalescingCallback(on: queue, policy: .audit(.seconds(1000))) {}
          callback.schedule()
          if round % 256 == 255 { awaitDisposal(on: queue) }
        }
        timed.cancel()
      }
    }

    @Test("C3: requests and cancellations on a busy queue keep no more than one timer")
    func busyQueue() async {
      await #expect(processExitsWith: .success) {
        let queue = DispatchQueue(label: "busy")
        let isReleased = DispatchSemaphore(value: 0)
        let callback = CoalescingCallback(on: queue, policy: .debounce(.seconds(60))) {}
        queue.async { isReleased.wait() }
        let before = heapBytes()
        for _ in 0..<Stress.size(100_000) {
          callback.schedule()
          callback.cancel()
        }
        let growth = heapBytes() - before
        isReleased.signal()
        if growth >= 4 << 20 {
          fatalError("the heap grew by \(growth) bytes")
        }
      }
    }

    @Test("C9: 1,000,000 elements that are added, dropped and delivered leave no memory behind")
    func collector() async {
      await #expect(processExitsWith: .success) {
        let scheduler = TestScheduler()
        let limits: [ElementLimit<Guest>] = [.newest(8), .oldest(8), .distinct(8, by: \.id)]
        let collectors = limits.map { limit in
          CoalescingCollector(on: scheduler, keeping: limit) { _ in }
        }
        requireNoGrowth(rounds: 1_000_000) { round in
          collectors[round % 3].add(Guest())
          if round % 64 == 0 { scheduler.run() }
          if round % 100 == 0 { collectors[round % 3].cancel() }
        }
      }
    }

    @Test("M1: 1,000,000 values that are put and taken leave no memory behind")
    func mailbox() async {
      await #expect(processExitsWith: .success) {
        let scheduler = TestScheduler()
        let box = SimpleMailbox<Guest>(event: LazySimpleEvent(on: scheduler))
        requireNoGrowth(rounds: 1_000_000) { round in
          box.replaceEvenIfSame(Guest())
          if round % 2 == 0 { _ = box.take() }
          if round % 64 == 0 { scheduler.run() }
        }
      }
    }

    @Test("O4: 200,000 changes, and 200,000 events that are created and released, leave no memory behind")
    func observation() async {
      await #expect(processExitsWith: .success) {
        let scheduler = TestScheduler()
        let guest = ObservedGuest()
        let event = ObservationEvent(on: scheduler) { _ = guest.number }
        requireNoGrowth(rounds: 200_000) { _ in
          guest.number += 1
          scheduler.run()
        }
        // If the deallocation of an event did not end its observation, the model would keep the observation
        // until the next change.
        requireNoGrowth(rounds: 200_000) { _ in
          _ = ObservationEvent(on: scheduler) { _ = guest.number }
        }
        withExtendedLifetime(event) {}
      }
    }

    @Test("N2, N3: 1,000,000 notifications and iterators leave no memory behind")
    func notifications() async {
      await #expect(processExitsWith: .success) {
        let event = SimpleEvent()
        let notifications = event.notifications
        requireNoGrowth(rounds: 1_000_000) { round in
          event.trigger()
          withExtendedLifetime(notifications.makeAsyncIterator()) {}
          if round % 4 == 0 { withExtendedLifetime(event.notifications) {} }
        }
      }
    }
  }

  @Observable private final class ObservedGuest {
    var number: Int = 0
  }

  private final class Guest: Sendable {
    var id: ObjectIdentifier { ObjectIdentifier(self) }
  }
  private protocol GuestOfOneThread: AnyObject {}
  private final class LocalGuest: GuestOfOneThread {}

  /// An observer of one megabyte.
  private final class LargeGuest: ManagedBuffer<Void, UInt8>, GuestOfOneThread, SimpleEventObserver {
    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {}
  }

  private func makeLargeGuest() -> LargeGuest {
    unsafeDowncast(LargeGuest.create(minimumCapacity: 1 << 20) { _ in }, to: LargeGuest.self)
  }

  /// Runs a body many times, and stops the process if the heap in use has grown.
  ///
  /// The tolerance covers the memory of new threads, each of which takes some 90 kB. A block that leaks in
  /// every round takes many times the tolerance.
  private func requireNoGrowth(rounds: Int, allowing slack: Int = 262_144, _ body: (Int) -> Void) {
    // The number of rounds is a multiple of the periods of all bodies.
    let rounds = (Stress.rounds(rounds) + 6399) / 6400 * 6400
    // The first rounds allocate objects that exist only once.
    for round in 0..<6400 { body(round) }
    let before = heapBytes()
    for round in 0..<rounds { body(round) }
    let allowed = slack + rounds / 10
    // Other threads may still be releasing objects. Leaked objects stay.
    var growth = heapBytes() - before
    for _ in 0..<1000 where growth > allowed {
      usleep(10_000)
      growth = heapBytes() - before
    }
    if growth > allowed {
      fatalError("the heap grew by \(growth) bytes in \(rounds) rounds; \(allowed) are allowed")
    }
  }

  /// The memory that Dispatch keeps for timers that were cancelled long ago: 365 kB were seen on a busy
  /// machine, and up to 1.1 MB for a moment. In a release build, an object that leaks in every round takes at
  /// least six times this memory. A debug build has a fiftieth of the rounds, and detects only the leak of a
  /// large object.
  private let slackOfTimers = 1 << 20

  /// Waits until Dispatch has released most of the timers of a queue that were cancelled before the call.
  ///
  /// Dispatch releases them on its own thread. The cancel handler of one more timer runs after most of them
  /// are released.
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
#endif
