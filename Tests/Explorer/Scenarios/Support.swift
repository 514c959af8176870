internal import ExplorerDispatch
internal import ExplorerEngine
internal import ExplorerSynchronization
internal import SimpleEvents

/// A policy, and its name in the names of scenarios.
struct NamedPolicy: Sendable {
  let name: String
  let policy: CoalescingPolicy
  /// Whether each signal is delivered, immediately or later.
  let isComplete: Bool

  static let nextTurn: NamedPolicy = NamedPolicy(name: "nextTurn", policy: .nextTurn, isComplete: true)

  static let timed: [NamedPolicy] = [
    NamedPolicy(name: "debounce", policy: .debounce(.milliseconds(10)), isComplete: true),
    NamedPolicy(
      name: "maxWait", policy: .debounce(.milliseconds(10), maxWait: .milliseconds(15)), isComplete: true),
    NamedPolicy(
      name: "bothEdges", policy: .debounce(.milliseconds(10), edges: [.leading, .trailing]),
      isComplete: true),
    NamedPolicy(name: "throttle", policy: .throttle(.milliseconds(10)), isComplete: true),
    NamedPolicy(name: "audit", policy: .audit(.milliseconds(10)), isComplete: true),
    NamedPolicy(
      name: "leading", policy: .debounce(.milliseconds(10), edges: .leading), isComplete: false),
  ]

  static let all: [NamedPolicy] = [nextTurn] + timed
}

/// The kinds of queue that scenarios are run on.
enum QueueKind: String, CaseIterable, Sendable {
  case serial
  case concurrent

  func make(_ label: String = "queue") -> DispatchQueue {
    DispatchQueue(label: label, attributes: self == .concurrent ? .concurrent : [])
  }
}

extension DispatchQueue {
  /// Queues work that need not be `Sendable`.
  func run(_ work: @escaping () -> Void) {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let work = work
    async { work() }
  }
}

/// Watches the deliveries of one coalescer: they never overlap, and no lock is held in them.
final class Deliveries {
  private(set) var count: Int = 0
  private var isRunning: Bool = false

  func take(_ body: () -> Void = {}) {
    expectUnlocked()
    expect(!isRunning, "C1: a delivery never overlaps itself")
    isRunning = true
    count += 1
    body()
    step()
    isRunning = false
  }
}

/// A number that one thread writes before it signals, and that deliveries read.
///
/// Its accesses are relaxed, so a read may return an older number unless the signal orders it.
final class Datum {
  private let number: Atomic<Int> = Atomic(0)
  private var written: Int = 0
  private var seen: Int = 0

  func write() {
    written += 1
    number.store(written, ordering: .relaxed)
  }

  func read() {
    seen = max(seen, number.load(ordering: .relaxed))
  }

  /// Whether a delivery has read the latest number.
  var isSeen: Bool { seen == written }
}
