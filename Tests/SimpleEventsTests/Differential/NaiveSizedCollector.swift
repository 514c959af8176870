import TestSupport

/// The contracts C9 and C12 in as little code as possible, tick by tick.
struct NaiveSizedCollector {
  private let program: SizedProgram
  private var callbacks: ArraySlice<[SizedProgram.Step]>
  private var queue: [CollectorElement] = []
  private var dropped: Int = 0
  /// The number of elements that were queued at a flush and are still queued.
  private var flushed: Int = 0
  private var windowEnd: Int?
  private var forcedAt: Int?
  private var isUndelivered: Bool = false
  private var isDue: Bool = false
  private var isDelivering: Bool = false
  private var now: Int = 0
  private var serial: Int = 0
  private var trace: [String] = []

  private var policy: NaiveModel.Policy { program.policy }
  private var size: Int { program.size > program.limit ? .max : program.size }

  private init(_ program: SizedProgram) {
    self.program = program
    callbacks = program.callbacks[...]
  }

  /// Runs a program, and returns the batches and the dropped elements in order.
  static func run(_ program: SizedProgram, until end: Int) -> [String] {
    var collector = NaiveSizedCollector(program)
    for tick in 0...end {
      collector.now = tick
      for (at, step) in program.steps where at == tick { collector.take(step) }
      collector.endWindow()
      while collector.isDue { collector.deliver() }
    }
    return collector.trace
  }

  private mutating func take(_ step: SizedProgram.Step) {
    switch step {
    case .add(let key): add(key)
    case .addContents(let keys): addContents(keys)
    case .cancel:
      queue.forEach { drop($0) }
      (queue, dropped, flushed, windowEnd, isUndelivered, isDue) = ([], 0, 0, nil, false, false)
    case .flush:
      flushed = size == .max ? 0 : queue.count
      var left = flushed
      repeat {
        guard isDue || isUndelivered else { return }
        (windowEnd, isUndelivered, isDue) = (nil, false, true)
        guard !isDelivering else { return }
        left -= min(size, queue.count)
        deliver()
      } while left > 0 && flushed > 0
    }
  }

  private mutating func addContents(_ keys: [Int]) {
    guard size == .max && program.rule != .distinct else { return keys.forEach { add($0) } }
    guard !keys.isEmpty else { return }
    let isAccepted = signal()
    for key in keys { store(key, isAccepted) }
  }

  private mutating func add(_ key: Int) {
    let isAccepted = signal()
    store(key, isAccepted)
    guard isAccepted && size < .max && !queue.isEmpty && queue.count.isMultiple(of: size) else { return }
    (windowEnd, isUndelivered, isDue) = (nil, false, true)
  }

  /// Applies the policy to a signal; returns false if the signal is ignored.
  private mutating func signal() -> Bool {
    if policy.shape == .nextTurn {
      isDue = true
    } else if windowEnd == nil {
      windowEnd = now + policy.interval
      forcedAt = policy.maxWait.map { now + $0 }
      if policy.leading { isDue = true } else if !isDue { isUndelivered = true }
    } else {
      if policy.shape == .debounce { windowEnd = now + policy.interval }
      guard policy.trailing else { return isDue }
      if !isDue { isUndelivered = true }
    }
    return true
  }

  private mutating func store(_ key: Int, _ isAccepted: Bool) {
    serial += 1
    let element = CollectorElement(key: key, serial: serial)
    guard isAccepted else { return drop(element) }
    if program.rule == .distinct, let place = queue.firstIndex(where: { $0.key == key }) {
      queue[place] = element
      return
    }
    queue.append(element)
    guard queue.count > program.limit else { return }
    drop(queue.remove(at: program.rule == .newest ? 0 : program.limit))
    if program.rule == .newest { flushed = max(0, flushed - 1) }
  }

  private mutating func drop(_ element: CollectorElement) {
    dropped += 1
    trace.append("drop \(element)")
  }

  private mutating func endWindow() {
    if let end = windowEnd, end > now, forcedAt == now {
      if policy.trailing {
        if isUndelivered { isDue = true }
        isUndelivered = false
        forcedAt = now + policy.maxWait!
      } else {
        windowEnd = nil
      }
    }
    guard windowEnd == now else { return }
    windowEnd = nil
    if isUndelivered {
      isDue = true
      if policy.shape == .throttle { windowEnd = now + policy.interval }
    }
    isUndelivered = false
  }

  private mutating func deliver() {
    let batch = queue.prefix(size)
    queue.removeFirst(batch.count)
    trace.append("batch \(Array(batch)) at \(now), \(dropped) dropped")
    flushed = max(0, flushed - batch.count)
    (dropped, isDue, isDelivering) = (0, false, true)
    if !queue.isEmpty {
      let waits = queue.count < size && flushed == 0 && windowEnd != nil && !policy.leading && policy.trailing
      if waits { isUndelivered = true } else { isDue = true }
    }
    callbacks.popFirst()?.forEach { take($0) }
    isDelivering = false
  }
}
