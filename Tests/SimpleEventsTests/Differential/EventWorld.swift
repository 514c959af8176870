import TestSupport

/// Runs programs on one event, and records their observable effects.
final class EventWorld {
  private struct Stop: Error {}

  private var trace: [String] = []
  private var event: (any EventUnderTest)?
  private weak var weakEvent: (any EventUnderTest)?
  private var tokens: [(any TokenUnderTest)?] = Array(repeating: nil, count: EventStep.slots)
  private var callbacks: ArraySlice<[EventStep]>
  private var lastSerial: Int = 0
  /// The serial numbers of the blocks whose captures are alive.
  private var captured: Set<Int> = []

  private init(_ program: EventProgram) {
    callbacks = program.callbacks[...]
  }

  /// Runs a program on the event that `makeEvent` returns.
  static func run(_ program: EventProgram, on makeEvent: () -> any EventUnderTest) -> [String] {
    let world = EventWorld(program)
    world.event = makeEvent()
    world.weakEvent = world.event
    for step in program.steps {
      world.take(step)
      world.trace.append("keeps \(world.captured.sorted())")
    }
    world.take(.trigger(if: true))
    world.event = nil
    world.trace.append(
      "keeps \(world.captured.sorted()), event \(world.weakEvent == nil ? "deallocated" : "alive")")
    // The tokens are released last, because tokens may outlive their event.
    world.tokens = []
    return world.trace
  }

  private func take(_ step: EventStep) {
    switch step {
    case .trigger(let condition): event?.fire(if: condition)
    case .coalesce(let steps, let throwsError): coalesce(steps, throwsError: throwsError)
    case .addBlock(let slot): addBlock(slot)
    case .removeToken(let slot): tokens[slot]?.end()
    case .dropToken(let slot): tokens[slot] = nil
    case .dropEvent: event = nil
    }
  }

  private func coalesce(_ steps: [EventStep], throwsError: Bool) {
    guard let event else { return }
    trace.append("[")
    do {
      try event.collect {
        steps.forEach(take)
        trace.append("]")
        if throwsError { throw Stop() }
      }
    } catch {
      trace.append("threw")
    }
  }

  private func addBlock(_ slot: Int) {
    guard let event else { return }
    lastSerial += 1
    let serial = lastSerial
    captured.insert(serial)
    let canary = Canary { [unowned self] in captured.remove(serial) }
    tokens[slot] = event.listen { [unowned self] in
      withExtendedLifetime(canary) { called(serial) }
    }
  }

  private func called(_ serial: Int) {
    trace.append("call \(serial)")
    for step in callbacks.popFirst() ?? [] {
      take(step)
    }
    trace.append("back \(serial)")
  }
}
