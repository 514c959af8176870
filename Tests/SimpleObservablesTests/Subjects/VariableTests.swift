import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

struct VariableTests {
  @Test("Variable: sends its value to new subscribers, and each value that is set")
  func values() {
    let variable = Variable("4:20 PM")
    let log = Log()
    let token = variable.log(into: log)
    variable.value = "4:21 PM"
    variable.update("4:21 PM")
    #expect(log.entries == ["4:20 PM", "4:21 PM", "4:21 PM"])
    #expect(variable.value == "4:21 PM")
    token.remove()
  }

  @Test("Variable: sends the old value with the new one")
  func oldValue() {
    let variable = Variable(1)
    let log = Log()
    let token = variable.subscribe { new, old in log.add("\(new) \(old.map(String.init) ?? "nil")") }
    variable.value = 2
    variable.value = 3
    #expect(log.entries == ["1 nil", "2 1", "3 2"])
    token.remove()
  }

  @Test("Variable: distinguishes an old value of nil from no old value")
  func optionalOldValue() {
    let variable = Variable<Int?>(nil)
    let log = Log()
    let token = variable.subscribe { (new: Int?, old: Int??) in log.add("\(new as Any) \(old as Any)") }
    variable.value = 1
    variable.value = nil
    #expect(
      log.entries == ["nil nil", "Optional(1) Optional(nil)", "nil Optional(Optional(1))"])
    token.remove()
  }

  @Test("Variable: its value is the value that was set last, even before it is delivered")
  func pendingValue() {
    let variable = Variable(0)
    var seen: [Int] = []
    let token = variable.subscribe { value in
      if value == 1 {
        variable.value = 2
        variable.value += 1
        seen.append(variable.value)
      }
    }
    variable.value = 1
    #expect(seen == [3])
    token.remove()
  }

  @Test("Variable: keeps its value after the end")
  func valueAfterEnd() {
    let variable = Variable(1)
    variable.finish()
    variable.update(2)
    #expect(variable.value == 1)
  }

  @Test("Variable: releases values that were replaced")
  func releasedValues() {
    weak var first: Canary?
    let variable: Variable<Canary>
    do {
      let canary = Canary()
      first = canary
      variable = Variable(canary)
    }
    let token = variable.subscribe { _ in }
    #expect(first != nil)
    variable.value = Canary()
    #expect(first == nil)
    token.remove()
  }

  @Test("Observable: its value is that of the variable")
  func valueOfObservable() {
    let variable = Variable(1)
    let observable: Observable<Int> = variable
    variable.value = 2
    #expect(observable.value == 2)
    #expect(observable.map { $0 * 2 }.value == 4)
    #expect(Observable.just(1).value == nil)
  }

  @Test("Variable: map returns a variable that follows its source and always has a value")
  func derivedVariable() {
    let variable = Variable(1)
    let doubled = variable.map { $0 * 2 }
    let text = doubled.map { "<\($0)>" }
    #expect(text.value == "<2>")
    let log = Log()
    let token = text.log(into: log)
    variable.value = 2
    #expect(doubled.value + 1 == 5)
    #expect(log.entries == ["<2>", "<4>"])
    variable.finish()
    #expect(log.entries == ["<2>", "<4>", "done"])
    token.remove()
  }

  @Test("Variable: a derived variable keeps its source alive, and its subscribers keep the chain alive")
  func derivedLifetime() {
    let log = Log()
    let source = Variable(1)
    let token = source.map { $0 * 2 }.subscribe { log.add("\($0)") }
    source.value = 2
    #expect(log.entries == ["2", "4"])
    token.remove()

    weak var weakVariable: Variable<Int>?
    let derived: DerivedVariable<Int>
    do {
      let variable = Variable(1)
      weakVariable = variable
      derived = variable.map { -$0 }
    }
    #expect(weakVariable != nil)
    #expect(derived.value == -1)
  }

  @Test("DistinctVariable: sends no value that equals the current one")
  func unique() {
    let unique = DistinctVariable(1)
    let log = Log()
    let token = unique.log(into: log)
    unique.value = 1
    unique.value = 2
    unique.update(2)
    unique.value = 1
    #expect(log.entries == ["1", "2", "1"])
    token.remove()
  }

  @Test("V1, DistinctVariable: compares values in the order in which they were set")
  func uniqueOrder() {
    let unique = DistinctVariable(1)
    let log = Log()
    let bag = DisposeBag()
    unique.subscribe { value in
      if value == 2 {
        // The value changes back before the other subscriber has received the first change.
        unique.value = 1
        unique.value = 1
        unique.value = 3
      }
    }.disposed(by: bag)
    unique.log(into: log).disposed(by: bag)
    unique.value = 2
    #expect(log.entries == ["1", "2", "1", "3"])
  }

  @Test("ReplaySubject: sends the last values first")
  func replay() {
    let replay = ReplaySubject<Int>(bufferSize: 3)
    let log = Log()
    for value in 1...100 {
      replay.update(value)
    }
    let token = replay.log(into: log)
    replay.update(101)
    #expect(log.entries == ["98", "99", "100", "101"])
    token.remove()
  }

  @Test(
    "ReplaySubject: keeps as many values as its buffer size",
    arguments: [(-1, []), (0, []), (1, ["2"]), (5, ["1", "2"])])
  func bufferSize(bufferSize: Int, expected: [String]) {
    let replay = ReplaySubject<Int>(bufferSize: bufferSize)
    replay.update(1)
    replay.update(2)
    let log = Log()
    let token = replay.log(into: log)
    #expect(log.entries == expected)
    token.remove()
  }
}
