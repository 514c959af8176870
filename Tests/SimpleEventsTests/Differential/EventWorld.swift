import TestSupport

/// Runs programs on one event, and writes down what can be seen.
final class EventWorld {
  private struct Stop: Error {}

  private var trace: [String] = []
  private var event: (any EventUnderTest)?
  private weak var weakEvent: (any EventUnderTest)?
  private var listeners: [(any ListenerUnderTest)?] = Array(repeating: nil, count: EventStep.slots)
  private var callbacks: ArraySlice<[EventStep]>
  private var lastSerial: Int = 0
  /// The blocks whose captures are alive.
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
    world.trace.append("keeps \(world.captured.sorted()), event \(world.weakEvent == nil ? "gone" : "alive")")
    // A token may outlive its event, and then keeps nothing.
    world.listeners = []
    return world.trace
  }

  private func take(_ step: EventStep) {
    switch step {
    case .trigger(let condition): event?.fire(if: condition)
    case .coalesce(let steps, let throwsError): coalesce(steps, throwsError: throwsError)
    case .addBlock(let slot): addBlock(slot)
    case .removeToken(let slot): listeners[slot]?.end()
    case .dropToken(let slot): listeners[slot] = nil
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
    listeners[slot] = event.listen { [unowned self] in
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
