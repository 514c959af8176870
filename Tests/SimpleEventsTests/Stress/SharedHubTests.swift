import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// A hub that several threads use at once, its observers dying on any of them.
@Suite(.serialized) struct SharedHubTests {
  /// Adds itself on one thread, and removes itself in its `deinit` on whichever thread that comes.
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

  /// Observers on their way from the thread that made them to the one that lets them go.
  private final class Slots: Sendable {
    private let slots: [AtomicReference<Observer>] = (0..<64).map { _ in AtomicReference() }

    func exchange(_ index: Int, for observer: Observer?) -> Observer? {
      slots[index % slots.count].exchange(observer)
    }
  }

  private final class AtomicReference<Object: AnyObject & Sendable>: Sendable {
    /// The address of an observer that is retained, or zero.
    private let bits: Atomic<UInt> = Atomic(0)

    func exchange(_ new: Object?) -> Object? {
      let new = new.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      let old = UnsafeRawPointer(bitPattern: bits.exchange(new, ordering: .acquiringAndReleasing))
      return old.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    }
  }

  @Test func `H5, H7: observers that die on other threads are neither called dead nor accused`() {
    let misuses = MisuseLog()
    let hub = ObserverHub<Observer>(misuse: misuses.handler)
    let slots = Slots()
    let deadCalls = Atomic(0)
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
            if !observer.check() { deadCalls.wrappingAdd(1, ordering: .relaxed) }
          }
        }
      }
    }
    for index in 0..<64 {
      _ = slots.exchange(index, for: nil)
    }
    #expect(hub.isEmpty)
    #expect(deadCalls.load(ordering: .relaxed) == 0)
    #expect(misuses.all.map(\.message).prefix(3) == [])
  }

  /// Is found dead by another thread before it has come to remove itself.
  private final class SlowToDie: Sendable {
    let hub: ObserverHub<SlowToDie>
    let isDying: DispatchSemaphore = DispatchSemaphore(value: 0)
    let wasFoundDead: DispatchSemaphore = DispatchSemaphore(value: 0)

    init(_ hub: ObserverHub<SlowToDie>) {
      self.hub = hub
      hub.add(self)
    }

    deinit {
      isDying.signal()
      _ = wasFoundDead.waitOrGiveUp()
      hub.remove(self)
    }
  }

  /// One thread alone uses the hub, and finds the observer dead while another thread is in its `deinit`: the
  /// first visit of that thread, which comes too late to warn the hub.
  @Test func `H6: an observer whose deinit is the first visit of another thread is not accused`() {
    let misuses = MisuseLog()
    let hub = ObserverHub<SlowToDie>(misuse: misuses.handler)
    graveyard.suspend()
    let (isDying, wasFoundDead) = letGoElsewhere(SlowToDie(hub))
    // Now that nobody here holds it any longer.
    graveyard.resume()
    #expect(isDying.waitOrGiveUp())
    hub.forEach { _ in Issue.record("called while it dies") }
    #expect(hub.isEmpty)
    wasFoundDead.signal()
    graveyard.sync {}
    #expect(misuses.all.map(\.message) == [])
  }

  private let graveyard: DispatchQueue = DispatchQueue(label: "graveyard")

  /// Has another thread drop the last reference, and returns the observer's semaphores.
  private func letGoElsewhere(
    _ observer: SlowToDie
  ) -> (isDying: DispatchSemaphore, wasFoundDead: DispatchSemaphore) {
    let semaphores = (observer.isDying, observer.wasFoundDead)
    let hearse = AtomicReference<SlowToDie>()
    _ = hearse.exchange(observer)
    graveyard.async { _ = hearse.exchange(nil) }
    return semaphores
  }
}
