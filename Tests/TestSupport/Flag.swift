internal import Synchronization

/// A flag that threads share.
package final class Flag: Sendable {
  private let value: Atomic<Bool>

  package init(_ value: Bool = false) {
    self.value = Atomic(value)
  }

  package var isSet: Bool { value.load(ordering: .acquiring) }

  package func set(_ newValue: Bool = true) {
    value.store(newValue, ordering: .releasing)
  }
}
