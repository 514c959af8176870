import Dispatch
import SimpleEvents
import Synchronization
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
    private let slots: [AtomicReference] = (0..<64).map { _ in AtomicReference() }

    func exchange(_ index: Int, for observer: Observer?) -> Observer? {
      slots[index % slots.count].exchange(observer)
    }
  }

  private final class AtomicReference: Sendable {
    /// The address of an observer that is retained, or zero.
    private let bits: Atomic<UInt> = Atomic(0)

    func exchange(_ new: Observer?) -> Observer? {
      let new = new.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      let old = UnsafeRawPointer(bitPattern: bits.exchange(new, ordering: .acquiringAndReleasing))
      return old.map { Unmanaged<Observer>.fromOpaque($0).takeRetainedValue() }
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

  /// One thread alone uses the hub, and finds the observer dead while another thread is in its `deinit`: the
  /// first visit of that thread, which comes too late to warn the hub.
  @Test func `H6: an observer whose deinit is the first visit of another thread is not accused`() {
    let misuses = MisuseLog()
    let graveyard = DispatchQueue(label: "graveyard")
    for _ in 0..<Stress.rounds(100_000) {
      let hub = ObserverHub<Observer>(misuse: misuses.handler)
      let slot = AtomicReference()
      _ = slot.exchange(Observer(hub))
      graveyard.async { _ = slot.exchange(nil) }
      while !hub.isEmpty {
        hub.forEach { _ in }
      }
      graveyard.sync {}
      guard misuses.all.isEmpty else { break }
    }
    #expect(misuses.all.map(\.message).prefix(3) == [])
  }
}
