import Dispatch
import SimpleEvents

/// A value that one thread passes to another thread. The other thread waits for the value.
final class Exchange<Value: Sendable>: Sendable {
  private let value: Guarded<Value?> = Guarded(nil)
  private let isFull: DispatchSemaphore = DispatchSemaphore(value: 0)

  func put(_ newValue: Value) {
    _ = value.exchange(newValue)
    isFull.signal()
  }

  func take() -> Value {
    isFull.wait()
    return value.exchange(nil)!
  }
}
