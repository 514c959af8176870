internal import ExplorerEngine

/// The work of one queue, and the fibers that run the work.
final class WorkQueue {
  private struct Item {
    let work: () -> Void
    /// The vector clock of the fiber that has queued the work.
    let clock: VectorClock
  }

  let width: Int
  private let label: String
  private var items: ContiguousArray<Item> = []
  private var workers: Int = 0
  private let idle: UnsafeMutablePointer<Waiters> = .allocate(capacity: 1)

  init(_ label: String, width: Int) {
    self.label = label
    self.width = width
    idle.initialize(to: Waiters())
  }

  deinit {
    idle.deallocate()
  }

  var depth: Int { items.count }

  /// Queues work for the workers of this queue, unless another queue runs the work.
  func append(forOther isForOther: Bool, knowing clock: VectorClock, _ work: @escaping () -> Void) {
    items.append(Item(work: work, clock: clock))
    guard !isForOther else { return }
    if idle.pointee.count < items.count && workers < width {
      workers += 1
      engine.start(width > 1 ? "\(label).\(workers)" : label, knowing: VectorClock()) { [self] in runAll() }
    }
    engine.open(idle.pointee, for: items.count)
  }

  /// Runs the first piece of work, and releases it.
  func runNext() {
    let item = items.removeFirst()
    engine.open(idle.pointee, for: items.count)
    engine.acquire(item.clock)
    item.work()
  }

  private func runAll() {
    repeat {
      while !items.isEmpty {
        runNext()
        engine.point()
      }
    } while engine.waitForWork(idle)
  }
}
