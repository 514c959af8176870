import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

struct TokenTests {
  @Test("Disposable: calls its closure once, at its deallocation at the latest")
  func disposable() {
    let log = Log()
    do {
      let removed = Disposable { log.add("removed") }
      removed.remove()
      removed.remove()
      let dropped = Disposable { log.add("dropped") }
      withExtendedLifetime(dropped) { #expect(log.entries == ["removed"]) }
    }
    #expect(log.entries == ["removed", "dropped"])
  }

  @Test("DisposeBag: keeps its tokens until it is deallocated")
  func bag() {
    let subject = PublishSubject<Int>()
    let log = Log()
    do {
      var bag = DisposeBag()
      subject.log(into: log, as: "a").disposed(by: &bag)
      subject.log(into: log, as: "b").disposed(by: bag)
      subject.update(1)
    }
    subject.update(2)
    #expect(log.entries == ["a1", "b1"])
  }

  @Test("DisposeBag: disposeAll removes the tokens")
  func disposeAll() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let bag = DisposeBag()
    let token = subject.log(into: log)
    token.disposed(by: bag)
    subject.update(1)
    bag.disposeAll()
    subject.update(2)
    #expect(log.entries == ["1"])
    subject.log(into: log).disposed(by: bag)
    subject.update(3)
    #expect(log.entries == ["1", "3"])
  }

  @Test("DisposeBag: its deallocation also removes tokens that are kept elsewhere")
  func tokensKeptElsewhere() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.log(into: log)
    do {
      let bag = DisposeBag()
      bag.add(token)
      subject.update(1)
      withExtendedLifetime(bag) {}
    }
    subject.update(2)
    #expect(log.entries == ["1"])
  }

  @Test("DisposeBag: a token may change the bag while it is removed")
  func changesDuringRemoval() {
    let log = Log()
    let bag = DisposeBag()
    bag.add(
      Disposable {
        bag.add(Disposable { log.add("second") })
        bag.disposeAll()
        log.add("first")
      })
    bag.disposeAll()
    #expect(log.entries == ["second", "first"])
  }

  @Test("Closure: is released when it is disposed")
  func closure() {
    weak var weakCanary: Canary?
    let log = Log()
    let bag = DisposeBag()
    let closure: Closure<() -> Void>
    do {
      let canary = Canary()
      weakCanary = canary
      closure = Closure { withExtendedLifetime(canary) { log.add("called") } }
    }
    closure.disposed(by: bag)
    closure.closure?()
    bag.disposeAll()
    closure.closure?()
    #expect(log.entries == ["called"])
    #expect(weakCanary == nil)
  }
}
