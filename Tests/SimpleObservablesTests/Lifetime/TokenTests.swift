import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

@Suite struct TokenTests {
  @Test func `a disposable runs its closure once, at the latest when it is let go`() {
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

  @Test func `a bag keeps tokens until its scope ends`() {
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

  @Test func `a bag removes its tokens now`() {
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

  @Test func `a bag removes its tokens with itself, also those that are kept elsewhere`() {
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

  @Test func `a bag may be filled and emptied by what it disposes`() {
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

  @Test func `a closure is taken away, and let go, when it is disposed`() {
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
