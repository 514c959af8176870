/// An object whose deallocation a test observes by a weak reference or a closure.
package final class Canary {
  private let onDeinit: () -> Void

  package init(_ onDeinit: @escaping () -> Void = {}) {
    self.onDeinit = onDeinit
  }

  deinit {
    onDeinit()
  }
}
