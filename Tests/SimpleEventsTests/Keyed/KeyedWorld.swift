import SimpleEvents
import SimpleEventsTesting
import TestSupport

/// The scheduler and the logs of a random program. There is one log for each key, and one for all keys.
final class KeyedWorld: @unchecked Sendable {
  // SAFETY: the object is used only on the thread of a test.

  let scheduler = TestScheduler()
  /// The scheduler of the objects. Its timers may fire early.
  let deliveries: any EventScheduler
  let logs: Shared<[[String]]>
  private let program: KeyedProgram
  private var callbacks: [ArraySlice<[KeyedProgram.Step]>]
  private var take: (KeyedProgram.Step) -> Void = { _ in }
  private var serials: [Int]

  init(_ program: KeyedProgram) {
    self.program = program
    deliveries = program.isEarly ? UnsteadyScheduler.early(scheduler) : scheduler
    callbacks = program.callbacks.map { $0[...] }
    serials = Array(repeating: 0, count: program.keyCount)
    logs = Shared(Array(repeating: [], count: program.keyCount + 1))
  }

  /// Returns a new element for a key. Some elements are equal.
  func element(for key: Int) -> CollectorElement {
    serials[key] += 1
    return CollectorElement(key: serials[key] * 7 % 5, serial: serials[key])
  }

  func called(_ key: Int, _ text: String) {
    add("called at \(scheduler.milliseconds) \(text)", key)
    callbacks[key].popFirst()?.forEach(take)
  }

  func drop(_ element: CollectorElement, for key: Int) { add("dropped \(element)", key) }

  private func add(_ text: String, _ key: Int) { logs.change { $0[key].append(text) } }

  func run(
    signal: @escaping (Int) -> Void, cancel: @escaping (Int) -> Void, flush: @escaping (Int) -> Void,
    isPending: @escaping (Int) -> Bool, count: @escaping (Int) -> Int = { _ in 0 }, cancelAll: () -> Void,
    pendingCount: () -> Int
  ) {
    take = { [unowned self] step in
      switch step {
      case .signal(let key): signal(key)
      case .cancel(let key): cancel(key)
      case .flush(let key): flush(key)
      case .cancelAll, .advance: break
      }
      if let key = step.key { add("\(isPending(key) ? "" : "not ")pending, \(count(key))", key) }
    }
    for step in program.steps + [.advance(100)] {
      take(step)
      if case .cancelAll = step { cancelAll() }
      if case .advance(let milliseconds) = step { scheduler.advance(by: .milliseconds(milliseconds)) }
      add("\((0..<program.keyCount).filter(isPending)), \(pendingCount()) in all", program.keyCount)
    }
    take = { _ in }
  }
}
