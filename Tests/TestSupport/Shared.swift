internal import SimpleEvents

/// A variable that blocks share. Any thread may use it.
package final class Shared<Value>: Sendable {
  private let guarded: Guarded<Value>

  package init(_ value: Value) { guarded = Guarded(value) }

  /// The value. A value that is replaced is released after the lock is released.
  package var value: Value {
    get { guarded.withLock { $0 } }
    set { _ = guarded.exchange(newValue) }
  }

  /// Changes the value in one step.
  package func change<Result>(_ body: (inout Value) -> Result) -> Result { guarded.withLock { body(&$0) } }
}
