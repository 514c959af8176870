import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// Each form of `subscribe` compiles with a trailing closure, and is not ambiguous.
struct SubscribeFormsTests {
  private let log = Log()

  @Test("subscribe: one parameter takes the value, two take the new and the old value")
  func parameters() {
    let subject = PublishSubject<Int>()
    let tokens = [
      subject.subscribe { value in log.add("\(value)") },
      subject.subscribe { log.add("\($0)") },
      subject.subscribe { new, old in log.add("\(new) after \(old ?? 0)") },
      subject.subscribe { log.add("\($0) after \($1 ?? 0)") },
    ]
    subject.update(1)
    subject.update(2)
    #expect(
      log.entries == ["1", "1", "1 after 0", "1 after 0", "2", "2", "2 after 1", "2 after 1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("subscribe: two parameters take a pair apart, and typed parameters take the new and the old pair")
  func pairs() {
    let subject = PublishSubject<(Int, Int)>()
    let tokens = [
      subject.subscribe { pair in log.add("\(pair.0)-\(pair.1)") },
      subject.subscribe { (new: (Int, Int), old: (Int, Int)?) in
        log.add("\(new.0)-\(new.1) after \(old?.0 ?? 0)")
      },
      subject.subscribe { first, second in log.add("\(first) and \(second)") },
      subject.subscribe(onNext: { first, second in log.add("\(first)+\(second)") }),
      subject.subscribe { pair in
        log.add("\(pair.0)")
      } onDone: {
        log.add("done")
      },
    ]
    subject.update((1, 2))
    subject.finish()
    #expect(log.entries == ["1-2", "1-2 after 0", "1 and 2", "1+2", "1", "done"])
    withExtendedLifetime(tokens) {}
  }

  @Test("subscribe: functions and optional functions can be passed as blocks")
  func functions() {
    let subject = PublishSubject<Int>()
    func value(_ value: Int) { log.add("\(value)") }
    func change(_ value: Int, _ oldValue: Int?) { log.add("\(value) after \(oldValue ?? 0)") }
    let next: ((Int) -> Void)? = value
    let end: (() -> Void)? = nil
    let tokens = [
      subject.subscribe(value), subject.subscribe(change), subject.subscribe(onNext: next, onDone: end),
      subject.subscribe(),
    ]
    subject.update(1)
    subject.finish()
    #expect(log.entries == ["1", "1 after 0", "1"])
    withExtendedLifetime(tokens) {}
  }
}
