/// Observers in their usual form: an array of closures, called in a loop.
final class ClosureList {
  private var closures: [() -> Void] = []

  func add(_ closure: @escaping () -> Void) {
    closures.append(closure)
  }

  func notify() {
    for closure in closures {
      closure()
    }
  }
}
