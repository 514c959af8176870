import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// The values of `Variable.map`. Each value is transformed once.
struct DerivedVariableTests {
  private let source = Variable(1)
  private let calls = Log()

  private func double(_ value: Int) -> Int {
    calls.add("\(value)")
    return 2 * value
  }

  @Test("DerivedVariable: transforms each value once, for any number of subscribers and readers")
  func transformsOnce() {
    let derived = source.map(double)
    let log = Log()
    let tokens = (0..<3).map { _ in derived.subscribe { log.add("\($0)") } }
    source.value = 2
    #expect(derived.value == 4)
    #expect(derived.value == 4)
    #expect(calls.entries == ["1", "2"])
    #expect(log.entries == ["2", "2", "2", "4", "4", "4"])
    tokens.forEach { $0.remove() }
  }

  @Test("DerivedVariable: subscribers keep the connection when the derived variable is deallocated")
  func lastsAsLongAsSubscribers() {
    let log = Log()
    let token = source.map(double).subscribe { log.add("\($0)") }
    source.value = 2
    #expect(log.entries == ["2", "4"])
    token.remove()
    source.value = 3
    #expect(calls.entries == ["1", "2"])
  }

  @Test("DerivedVariable: releases the transform when it has no subscribers and no references")
  func releasesTransform() {
    var isReleased = false
    var canary: Canary? = Canary { isReleased = true }
    var derived: DerivedVariable<Int>? = source.map { [canary] value in
      withExtendedLifetime(canary) { -value }
    }
    _ = derived
    canary = nil
    #expect(!isReleased)
    derived = nil
    #expect(isReleased)
  }

  @Test("DerivedVariable: has a value immediately and follows, even if it is created in a delivery")
  func madeDuringDelivery() {
    var derived: DerivedVariable<Int>?
    let log = Log()
    let double = self.double
    let token = source.subscribe { [source] value in
      guard value == 2 else { return }
      derived = source.map(double)
      log.add("read \(derived?.value ?? 0)")
    }
    source.value = 2
    let second = derived?.subscribe { log.add("\($0)") }
    source.value = 3
    #expect(log.entries == ["read 4", "4", "6"])
    #expect(derived?.value == 6)
    second?.remove()
    token.remove()
  }

  @Test("DerivedVariable: ends when the variable ends, and keeps its value")
  func ends() {
    let derived = source.map(double)
    let log = Log()
    let token = derived.subscribe(onNext: { log.add("\($0)") }, onDone: { log.add("done") })
    source.finish()
    #expect(log.entries == ["2", "done"])
    #expect(derived.value == 2)
    token.remove()
  }
}
