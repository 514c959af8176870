import Foundation
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import SimpleObservablesFoundation
import TestSupport
import Testing

// The comments show the code of that library.
extension SnailRows {
  static let operators: [String: MigrationRow] = [
    "`map`, `filter`, `flatMap`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let token = subject.map { $0 + 1 }.filter { $0 > 2 }.flatMap { .just($0 * 10) }.log(into: log)
      for value in 1...3 { subject.update(value) }
      #expect(log.entries == ["30", "40"])
      token.remove()
    },
    "`forward(to:)`": {
      let log = Log()
      let (source, bus, target) = (PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>())
      let tokens = [
        bus.log(into: log, as: "bus "), target.log(into: log, as: "target "),
        source.forward(to: bus), source.forward(to: target, includingEnd: true),
      ]
      source.update(1)
      source.finish()
      #expect(log.entries == ["bus 1", "target 1", "target done"])
      withExtendedLifetime(tokens) {}
    },
    "`skip(first:)`, `take(first:)`": {
      let log = Log()
      let subject = PublishSubject<Int>()
      let tokens = [subject.skip(1).log(into: log, as: "s"), subject.take(1).log(into: log, as: "t")]
      subject.update(1)
      subject.update(2)
      #expect(log.entries == ["t1", "tdone", "s2"])
      withExtendedLifetime(tokens) {}
    },
    "`merge`, `combineLatest`, `zip`": {
      let log = Log()
      let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
      let tokens = [
        Observable.merge(a, b).log(into: log, as: "m"),
        Observable.combineLatest(a, b).map { first, second in first * 10 + second }.log(into: log, as: "c"),
        Observable.zip(a, b).map { first, second in first * 10 + second }.log(into: log, as: "z"),
      ]
      a.update(1)
      a.update(2)
      b.update(3)
      #expect(log.entries == ["m1", "m2", "m3", "c23", "z13"])
      withExtendedLifetime(tokens) {}
    },
    "`NotificationCenter.observeEvent`": {
      let log = Log()
      let center = NotificationCenter()
      let name = Notification.Name("rename")
      let token = center.observe(name).subscribe { log.add($0.name.rawValue) }
      center.post(name: name, object: nil)
      #expect(log.entries == ["rename"])
      token.remove()
    },
    "`URLSession` extensions": {
      // session.data(request: request).subscribe(onNext: { data, response in … }, onError: { error in … })
      // Without a network, a function takes the place of `session.data(for: request)`.
      @Sendable func data(for request: String) async throws -> (data: String, status: Int) {
        guard request == "page" else { throw Broken() }
        return ("text", 200)
      }
      let page = try await Observable.task { try await data(for: "page") }.first()
      #expect(page?.data == "text")
      let request = Observable.task { try await data(for: "nothing") }
      await #expect(throws: Broken.self) { try await request.first() }
    },
    "`asAnyPublisher()`": {
      // Combine exists only on Apple platforms.
      #if canImport(Combine)
        let log = Log()
        let subject = PublishSubject<Int>()
        let cancellable = subject.publisher.sink {
          log.add("\($0)")
        } receiveValue: {
          log.add("\($0)")
        }
        subject.update(1)
        subject.finish()
        #expect(log.entries == ["1", "finished"])
        cancellable.cancel()
      #endif
    },
  ]

  static let time: [String: MigrationRow] = [
    "`debounce(seconds)`": {
      let log = Log()
      let scheduler = TestScheduler()
      let subject = PublishSubject<Int>()
      let token = subject.debounce(.seconds(1), on: scheduler).log(into: log)
      subject.update(1)
      scheduler.advance(by: .milliseconds(900))
      subject.update(2)
      scheduler.advance(by: .milliseconds(999))
      #expect(log.entries == [])
      scheduler.advance(by: .milliseconds(1))
      #expect(log.entries == ["2"])
      token.remove()
    },
    "`throttle(seconds)`": {
      // A tick sends the newest value, unless it was sent already.
      let log = Log()
      let scheduler = TestScheduler()
      let subject = PublishSubject<Int>()
      let token = subject.sample(every: .seconds(1), on: scheduler).log(into: log)
      subject.update(1)
      subject.update(2)
      #expect(log.entries == [])
      scheduler.advance(by: .seconds(1))
      #expect(log.entries == ["2"])
      scheduler.advance(by: .seconds(1))
      #expect(log.entries == ["2"])
      token.remove()
    },
    "`Scheduler(delay)`": {
      let log = Log()
      let scheduler = TestScheduler()
      let token = Observable.ticks(every: .seconds(1), on: scheduler).subscribe { _ in log.add("tick") }
      scheduler.advance(by: .seconds(3))
      #expect(log.entries == ["tick", "tick", "tick"])
      token.remove()
      scheduler.advance(by: .seconds(3))
      #expect(log.entries.count == 3)
    },
    "`Scheduler(delay, repeats: false)`": {
      let log = Log()
      let scheduler = TestScheduler()
      let token = Observable.ticks(every: .seconds(1), repeats: false, on: scheduler)
        .subscribe(onNext: { _ in log.add("tick") }, onDone: { log.add("done") })
      scheduler.advance(by: .seconds(3))
      #expect(log.entries == ["tick", "done"])
      token.remove()
    },
    "`block()`": {
      let first = try await Observable.just(1).first()
      let result = try await Observable.just(1).firstResult().get()
      let none = try await Observable<Int>.empty().first()
      #expect(first == 1)
      #expect(result == 1)
      #expect(none == nil)
      await #expect(throws: Broken.self) { try await Observable<Int>.fail(Broken()).first() }
    },
    "`block(timeout:)`": {
      let scheduler = TestScheduler()
      try scheduler.run { [scheduler] in
        let subject = PublishSubject<Int>()
        let first = try await subject.first(timeout: .seconds(2), on: scheduler)
        #expect(first == nil)
        #expect(scheduler.now.milliseconds == 2000)
      }
    },
  ]
}
