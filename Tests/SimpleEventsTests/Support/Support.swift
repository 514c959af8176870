import SimpleEvents
import SimpleEventsTesting
import Synchronization

/// Remembers what happened, in order; for tests that run on one thread.
final class Log {
  var entries: [String] = []

  func add(_ entry: String) {
    entries.append(entry)
  }
}

/// Collects the misuses that a hub or an event reports.
final class MisuseLog: Sendable {
  private let log: Mutex<[Misuse]> = Mutex([])

  var all: [Misuse] { log.withLock { $0 } }
  var kinds: [Misuse.Kind] { all.map(\.kind) }
  var handler: MisuseHandler {
    .report { [self] misuse in log.withLock { $0.append(misuse) } }
  }
}

/// Tells when it is gone.
final class Canary {
  private let onDeath: () -> Void

  init(_ onDeath: @escaping () -> Void = {}) {
    self.onDeath = onDeath
  }

  deinit {
    onDeath()
  }
}

/// Random numbers that are the same for the same seed (SplitMix64, Steele et al. 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension EventInstant {
  /// An instant of a test scheduler, in milliseconds.
  static func ms(_ milliseconds: Int) -> EventInstant {
    EventInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }
}

extension TestScheduler {
  /// Schedules work up front, so that it comes before everything that is scheduled while time goes by.
  func at(_ milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    schedule(at: .ms(milliseconds), work)
  }

  func advance(toMilliseconds milliseconds: Int) {
    advance(to: .ms(milliseconds))
  }
}

extension EventRecorder {
  /// When things happened, in whole milliseconds of virtual time.
  var milliseconds: [Int] {
    times.map { Int($0 / .milliseconds(1)) }
  }
}

/// Draws instants on a line, one column a millisecond: `--x-x`.
func marble(_ milliseconds: [Int], until end: Int) -> String {
  var line = Array(repeating: Character("-"), count: max(end, milliseconds.max() ?? 0) + 1)
  for instant in milliseconds {
    line[instant] = line[instant] == "-" ? "x" : "2"
  }
  return String(line)
}

#if canImport(ObjectiveC)
  let hasObjectiveC: Bool = true
#else
  let hasObjectiveC: Bool = false
#endif

#if DEBUG
  let isDebug: Bool = true
#else
  let isDebug: Bool = false
#endif

/// A flag that threads share.
final class Flag: Sendable {
  private let value: Atomic<Bool>

  init(_ value: Bool = false) {
    self.value = Atomic(value)
  }

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set(_ newValue: Bool = true) {
    value.store(newValue, ordering: .releasing)
  }
}
