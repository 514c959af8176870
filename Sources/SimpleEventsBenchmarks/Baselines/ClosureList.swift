/// Observers in their usual form: an array of closures that a loop calls.
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
