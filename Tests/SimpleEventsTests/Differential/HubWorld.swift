import SimpleEvents
import TestSupport

/// Runs programs on one kind of list, and records their observable effects.
final class HubWorld<List: ListUnderTest> {
  private final class Watcher: Watching {
    let serial: Int
    private let removesInDeinit: Bool
    private unowned let world: HubWorld
    /// The list in which the observer is installed; nil if there is none.
    weak var home: List?

    init(serial: Int, removesInDeinit: Bool, in world: HubWorld) {
      self.serial = serial
      self.removesInDeinit = removesInDeinit
      self.world = world
    }

    deinit {
      world.outcome.trace.append("deallocated \(serial)")
      if let home {
        if removesInDeinit {
          home.take(self)
        } else {
          world.outcome.deallocations += 1
        }
      }
    }
  }

  private struct Stop: Error {}

  private(set) var outcome: HubOutcome = HubOutcome()
  private var list: List?
  private var slots: [Watcher?] = Array(repeating: nil, count: HubStep.slots)
  private var lastSerial: Int = 0
  private let reports: Shared<[Misuse.Kind]> = Shared([])

  /// Runs steps and a last cycle, and releases all references.
  static func run(_ steps: [HubStep]) -> HubOutcome {
    let world = HubWorld()
    for step in steps {
      world.renewList()
      world.take(step)
    }
    world.renewList()
    world.take(.cycle([], throwsAt: nil))
    world.slots = []
    world.take(.isEmpty)
    world.list = nil
    world.noteReports()
    return world.outcome
  }

  private func renewList() {
    if list == nil {
      list = List(reportingTo: reports)
    }
  }

  private func take(_ step: HubStep) {
    switch step {
    case .create(let slot, let removesInDeinit):
      lastSerial += 1
      // NB: the previous observer is released first, so that the new observer is likely to get the same
      // address.
      slots[slot] = nil
      slots[slot] = Watcher(serial: lastSerial, removesInDeinit: removesInDeinit, in: self)
    case .add(let slot): add(slots[slot])
    case .remove(let slot): remove(slots[slot])
    case .addAgain(let slot):
      remove(slots[slot])
      add(slots[slot])
    case .drop(let slot): slots[slot] = nil
    case .removeAll:
      for watcher in slots where watcher?.home != nil {
        remove(watcher)
      }
    case .isEmpty: outcome.trace.append("empty \(list?.isEmpty ?? true)")
    case .dropHub: list = nil
    case .cycle(let callbacks, let throwsAt): cycle(callbacks, throwsAt: throwsAt)
    }
    noteReports()
  }

  private func add(_ watcher: Watcher?) {
    // An observer stays in a previous list while a cycle keeps that list alive.
    guard let watcher, let list, watcher.home == nil || watcher.home === list else { return }
    list.put(watcher)
    watcher.home = list
  }

  private func remove(_ watcher: Watcher?) {
    guard let watcher, let list = watcher.home ?? list else { return }
    list.take(watcher)
    watcher.home = nil
  }

  private func cycle(_ callbacks: [[HubStep]], throwsAt: Int?) {
    guard let list else { return }
    var calls = 0
    outcome.trace.append("cycle {")
    do {
      try list.each { observer in
        outcome.trace.append("call \(observer.serial)")
        let call = calls
        calls += 1
        for step in callbacks.indices.contains(call) ? callbacks[call] : [] {
          take(step)
        }
        if call == throwsAt { throw Stop() }
      }
      outcome.trace.append("}")
    } catch {
      outcome.trace.append("} threw")
    }
  }

  private func noteReports() {
    let misuses = reports.value
    reports.value = []
    outcome.neverRemoved += misuses.count { $0 == .neverRemoved }
    outcome.trace += misuses.filter { $0 != .neverRemoved }.map { "misuse \($0)" }
  }
}
