import TestSupport

/// The contracts C5, C7 and C9 in as little code as possible, for next-turn delivery and leading windows.
struct NaiveCollector {
  private let program: CollectorProgram
  private var callbacks: ArraySlice<[CollectorStep]>
  private var elements: [CollectorElement] = []
  private var dropped: Int = 0
  private var now: Int = 0
  private var windowEnd: Int = -1
  private var isPending: Bool = false
  private var isDelivering: Bool = false
  private var lastSerial: Int = 0
  private var trace: [String] = []

  private init(_ program: CollectorProgram) {
    self.program = program
    callbacks = program.callbacks[...]
  }

  /// Runs a program, and returns the batches.
  static func run(_ program: CollectorProgram) -> [String] {
    var collector = NaiveCollector(program)
    program.steps.forEach { collector.take($0) }
    collector.take(.advance(0))
    return collector.trace
  }

  private mutating func take(_ step: CollectorStep) {
    switch step {
    case .add(let key): add([key])
    case .addContents(let keys): add(keys)
    case .cancel:
      elements.forEach { drop($0) }
      (elements, dropped, isPending, windowEnd) = ([], 0, false, -1)
    case .flush:
      guard isPending else { break }
      windowEnd = -1
      // During a delivery, the pending delivery follows on the next turn instead.
      if !isDelivering { deliver() }
    case .advance(let milliseconds):
      while isPending {
        deliver()
      }
      now += milliseconds
    }
    trace.append("pending \(isPending)")
  }

  private mutating func add(_ keys: [Int]) {
    let isIgnored = !isPending && now <= windowEnd
    for key in keys {
      lastSerial += 1
      let element = CollectorElement(key: key, serial: lastSerial)
      if isIgnored { drop(element) } else { insert(element) }
    }
    guard !keys.isEmpty, now > windowEnd else { return }
    isPending = true
    if let window = program.window {
      windowEnd = now + window
    }
  }

  private mutating func insert(_ element: CollectorElement) {
    if program.rule == .distinct, let place = elements.firstIndex(where: { $0.key == element.key }) {
      elements[place] = element
      return
    }
    elements.append(element)
    if elements.count > program.limit {
      drop(elements.remove(at: program.rule == .newest ? 0 : program.limit))
    }
  }

  private mutating func drop(_ element: CollectorElement) {
    dropped += 1
    if program.reportsDrops { trace.append("drop \(element)") }
  }

  private mutating func deliver() {
    trace.append("batch \(elements) at \(now), \(dropped) dropped")
    (elements, dropped, isPending, isDelivering) = ([], 0, false, true)
    callbacks.popFirst()?.forEach { take($0) }
    isDelivering = false
  }
}
