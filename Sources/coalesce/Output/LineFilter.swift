internal import Dispatch
internal import SimpleEvents

/// Writes lines by a policy.
final class LineFilter: Job {
  private let queue: DispatchQueue = DispatchQueue(label: "coalesce")
  private let input: LineInput
  private let deliveries: CoalescingCallback

  init(_ settings: FilterSettings) {
    let input = LineInput(
      keeping: settings.keeping, delimiter: settings.delimiter, limit: settings.limit)
    let writer = LineWriter(settings)
    self.input = input
    deliveries = CoalescingCallback(on: queue, policy: settings.policy) { @Sendable in
      if let batch = input.take() { writer.write(batch) }
    }
  }

  func run() -> Int32 {
    do {
      try input.readLines { deliveries.schedule() }
      flush()
      return 0
    } catch {
      flush()
      return Jobs.inputFailure(error)
    }
  }

  func end() { flush() }

  func abandon() {}

  private func flush() { queue.sync { deliveries.flush() } }
}
