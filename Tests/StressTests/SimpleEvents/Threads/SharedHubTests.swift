import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// A hub that several threads use at the same time. Its observers are deallocated on any of these threads.
@Suite(.serialized) struct SharedHubTests {
  /// An observer that adds itself on one thread. It removes itself in its `deinit`, on any thread.
  private final class Observer: Sendable {
    private let hub: ObserverHub<Observer>
    private let alive: Atomic<Bool> = Atomic(true)

    init(_ hub: ObserverHub<Observer>) {
      self.hub = hub
      hub.add(self)
    }

    func check() -> Bool { alive.load(ordering: .relaxed) }

    deinit {
      alive.store(false, ordering: .relaxed)
      hub.remove(self)
    }
  }

  /// Observers that one thread creates and another thread releases.
  private final class Slots: Sendable {
    private let slots: [AtomicReference<Observer>] = (0..<64).map { _ in AtomicReference() }

    func exchange(_ index: Int, for observer: Observer?) -> Observer? {
      slots[index % slots.count].exchange(observer)
    }
  }

  @Test("H5, H7: an observer that is deallocated on another thread is neither called again nor flagged")
  func deallocationOnOtherThreads() {
    let misuses = MisuseLog()
    let hub = ObserverHub<Observer>(misuse: misuses.handler)
    let slots = Slots()
    let lateCalls = Atomic(0)
    onThreads(6) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<Stress.rounds(100_000) {
        let index = Int.random(in: 0..<64, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3: _ = slots.exchange(index, for: Observer(hub))
        case 3..<5: _ = slots.exchange(index, for: nil)
        case 5: _ = hub.isEmpty
        default:
          hub.forEach { observer in
            if !observer.check() { lateCalls.wrappingAdd(1, ordering: .relaxed) }
          }
        }
      }
    }
    for index in 0..<64 {
      _ = slots.exchange(index, for: nil)
    }
    #expect(hub.isEmpty)
    #expect(lateCalls.load(ordering: .relaxed) == 0)
    #expect(misuses.messages.prefix(3) == [])
  }

  /// An observer whose `deinit` waits until a cycle has ended, and then removes the observer from the hub.
  private final class SlowObserver: Sendable {
    let hub: ObserverHub<SlowObserver>
    let deinitBegan: DispatchSemaphore = DispatchSemaphore(value: 0)
    let cycleEnded: DispatchSemaphore = DispatchSemaphore(value: 0)

    init(_ hub: ObserverHub<SlowObserver>) {
      self.hub = hub
      hub.add(self)
    }

    deinit {
      deinitBegan.signal()
      _ = cycleEnded.waitOrGiveUp()
      hub.remove(self)
    }
  }

  /// Only one thread has used the hub when its cycle meets an observer whose `deinit` is running on another
  /// thread. The other thread uses the hub for the first time when it removes the observer, after the cycle.
  @Test("H6: an observer is not flagged while another thread runs its deinit")
  func deinitOnOtherThread() {
    let misuses = MisuseLog()
    let hub = ObserverHub<SlowObserver>(misuse: misuses.handler)
    queue.suspend()
    let (deinitBegan, cycleEnded) = releaseOnOtherThread(SlowObserver(hub))
    // The queue holds the only reference to the observer.
    queue.resume()
    #expect(deinitBegan.waitOrGiveUp())
    hub.forEach { _ in Issue.record("called during its deinit") }
    #expect(hub.isEmpty)
    cycleEnded.signal()
    queue.sync {}
    #expect(misuses.messages == [])
  }

  private let queue: DispatchQueue = DispatchQueue(label: "release")

  /// Moves the last reference to the queue; returns the observer's semaphores.
  private func releaseOnOtherThread(
    _ observer: SlowObserver
  ) -> (deinitBegan: DispatchSemaphore, cycleEnded: DispatchSemaphore) {
    let semaphores = (observer.deinitBegan, observer.cycleEnded)
    let reference = AtomicReference<SlowObserver>()
    _ = reference.exchange(observer)
    queue.async { _ = reference.exchange(nil) }
    return semaphores
  }
}
