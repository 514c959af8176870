import Dispatch
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

// The comments show the code of that library.
extension SnailRows {
  static let subscriptions: [String: MigrationRow] = [
    "`Event<T>`: `.next`, `.error`, `.done`": {
      // observable.subscribe { event in switch event { case .next(let value): …; case .error(let error): …;
      // case .done: … } }
      let log = Log()
      let (failing, finishing) = (PublishSubject<Int>(), PublishSubject<Int>())
      let tokens = [failing, finishing].map { subject in
        subject.subscribe(
          onNext: { log.add("next \($0)") }, onError: { log.add("error \($0)") }, onDone: { log.add("done") })
      }
      failing.update(1)
      failing.fail(Broken())
      finishing.update(2)
      finishing.finish()
      #expect(log.entries == ["next 1", "error broken", "next 2", "done"])
      withExtendedLifetime(tokens) {}
    },
    "`subscribe(queue:onNext:onError:onDone:)`": {
      let log = Log()
      let scheduler = TestScheduler()
      let elsewhere = Elsewhere(scheduler)
      let subject = PublishSubject<Int>()
      let token = subject.subscribe(
        on: elsewhere, onNext: { log.add("\($0)") }, onError: { log.add("\($0)") },
        onDone: { log.add("done") })
      subject.update(1)
      subject.finish()
      #expect(log.entries == [])
      scheduler.advance()
      #expect(log.entries == ["1", "done"])
      token.remove()
    },
    "`on(queue)`": {
      let log = Log()
      let scheduler = TestScheduler()
      let subject = PublishSubject<Int>()
      let token = subject.observe(on: Elsewhere(scheduler)).log(into: log)
      subject.update(1)
      #expect(log.entries == [])
      scheduler.advance()
      #expect(log.entries == ["1"])
      token.remove()
    },
    "`Subscriber`, `dispose()`, `add(to: disposer)`": {
      let log = Log()
      let disposer = Disposer()
      let subject = PublishSubject<Int>()
      let token: any SimpleEventToken = subject.log(into: log, as: "a")
      subject.log(into: log, as: "b").disposed(by: disposer)
      token.remove()
      subject.update(1)
      #expect(log.entries == ["b1"])
    },
    "`Disposer`, `disposeAll()`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let disposer = Disposer()
      subject.log(into: log).disposed(by: disposer)
      disposer.disposeAll()
      subject.update(1)
      #expect(log.entries == [])
    },
    "`Closure`": {
      let log = Log()
      let disposer = Disposer()
      let closure = Closure { log.add("called") }
      closure.disposed(by: disposer)
      closure.closure?()
      disposer.disposeAll()
      closure.closure?()
      #expect(log.entries == ["called"])
    },
    "`removeSubscriber(subscriber:)`": {
      // observable.removeSubscriber(subscriber: subscriber)
      let log = Log()
      let subject = PublishSubject<Int>()
      let tokens = [subject.log(into: log, as: "a"), subject.log(into: log, as: "b")]
      tokens[0].remove()
      subject.update(1)
      #expect(log.entries == ["b1"])
      tokens[1].remove()
    },
    "`removeSubscribers()`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let tokens = [subject.log(into: log), subject.log(into: log)]
      subject.removeSubscribers()
      subject.update(1)
      #expect(log.entries == [])
      let token = subject.log(into: log)
      subject.update(2)
      #expect(log.entries == ["2"])
      withExtendedLifetime((tokens, token)) {}
    },
  ]

  static let subjects: [String: MigrationRow] = [
    "`Observable<T>()`, `on(.next(x))`, `on(.error(e))`, `on(.done)`": {
      let log = Log()
      let (failing, finishing) = (PublishSubject<Int>(), PublishSubject<Int>())
      let tokens = [failing.log(into: log), finishing.log(into: log)]
      failing.update(1)
      failing.fail(Broken())
      finishing.finish()
      finishing.update(2)
      #expect(log.entries == ["1", "error broken", "done"])
      // The end is kept for later subscribers.
      let late = failing.log(into: log)
      #expect(log.entries.last == "error broken")
      withExtendedLifetime((tokens, late)) {}
    },
    "`Variable`, `Unique`, `asObservable()`": {
      let log = Log()
      let (variable, unique) = (Variable(1), Unique(1))
      let tokens = [
        variable.asObservable().log(into: log, as: "v"), unique.asObservable().log(into: log, as: "u"),
      ]
      variable.value = 1
      unique.value = 1
      unique.value = 2
      #expect(log.entries == ["v1", "u1", "v1", "u2"])
      withExtendedLifetime(tokens) {}
    },
    "`variable.bind(to: other)`": {
      let (follower, leader) = (Variable(false), Variable(true))
      let token = follower.bind(to: leader)
      #expect(follower.value)
      leader.value = false
      #expect(!follower.value)
      follower.value = true
      #expect(!leader.value)
      token.remove()
    },
    "`variable.map`": {
      let variable = Variable(1)
      let doubled: DerivedVariable<Int> = variable.map { $0 * 2 }
      variable.value = 2
      #expect(doubled.value == 4)
    },
    "`Just`, `Fail`, `Replay(n)`": {
      let log = Log()
      let replay = ReplaySubject<Int>(bufferSize: 2)
      for value in 1...3 { replay.update(value) }
      let tokens = [.just(0), .fail(Broken()), replay].map { $0.log(into: log) }
      #expect(log.entries == ["0", "done", "error broken", "2", "3"])
      withExtendedLifetime(tokens) {}
    },
  ]
}
