import SimpleEvents
import SimpleObservables
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

  @Test func `a bag keeps tokens, and lets go of them with itself`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    do {
      var bag = DisposeBag()
      subject.log(into: log, as: "a").disposed(by: &bag)
      subject.log(into: log, as: "b").disposed(by: &bag)
      subject.update(1)
      #expect(bag.count == 2)
    }
    subject.update(2)
    #expect(log.entries == ["a1", "b1"])
  }

  @Test func `a disposer removes its tokens now`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let disposer = Disposer()
    let token = subject.log(into: log)
    token.disposed(by: disposer)
    subject.update(1)
    disposer.disposeAll()
    subject.update(2)
    #expect(log.entries == ["1"])
    subject.log(into: log).disposed(by: disposer)
    subject.update(3)
    #expect(log.entries == ["1", "3"])
  }

  @Test func `a disposer removes its tokens with itself, also those that are kept elsewhere`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.log(into: log)
    do {
      let disposer = Disposer()
      disposer.add(token)
      subject.update(1)
      withExtendedLifetime(disposer) {}
    }
    subject.update(2)
    #expect(log.entries == ["1"])
  }

  @Test func `a disposer may be filled and emptied by what it disposes`() {
    let log = Log()
    let disposer = Disposer()
    disposer.add(
      Disposable {
        disposer.add(Disposable { log.add("second") })
        disposer.disposeAll()
        log.add("first")
      })
    disposer.disposeAll()
    #expect(log.entries == ["second", "first"])
  }

  @Test func `a closure is taken away, and let go, when it is disposed`() {
    weak var weakCanary: Canary?
    let log = Log()
    let disposer = Disposer()
    let closure: Closure<() -> Void>
    do {
      let canary = Canary()
      weakCanary = canary
      closure = Closure { withExtendedLifetime(canary) { log.add("called") } }
    }
    closure.disposed(by: disposer)
    closure.closure?()
    disposer.disposeAll()
    closure.closure?()
    #expect(log.entries == ["called"])
    #expect(weakCanary == nil)
  }
}
