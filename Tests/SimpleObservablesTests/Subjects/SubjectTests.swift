import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// Order, reentrancy, removal and the end, for all subjects.
struct SubjectTests {
  @Test("H1: subscribers are called in the order of subscription, also after one left", arguments: 0..<4)
  func order(_ leaving: Int) {
    let subject = PublishSubject<Int>()
    let log = Log()
    var names = ["a", "b", "c", "d"]
    var tokens = names.map { subject.log(into: log, as: $0) }
    names.remove(at: leaving)
    tokens.remove(at: leaving).remove()
    names.append("e")
    tokens.append(subject.log(into: log, as: "e"))
    subject.update(1)
    #expect(log.entries == names.map { "\($0)1" })
    withExtendedLifetime(tokens) {}
  }

  @Test("PublishSubject: replays no value")
  func noReplay() {
    let subject = PublishSubject<Int>()
    subject.update(1)
    let log = Log()
    let token = subject.log(into: log)
    subject.update(2)
    #expect(log.entries == ["2"])
    token.remove()
    subject.update(3)
    #expect(log.entries == ["2"])
  }

  @Test("V1: a nested update is delivered after the current value has reached all subscribers")
  func nestedUpdate() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let bag = DisposeBag()
    subject.subscribe { value in
      log.add("a\(value)")
      if value < 10 {
        subject.update(value * 10)
        subject.update(value * 10 + 1)
      }
      log.add("a\(value) returns")
    }.disposed(by: bag)
    subject.log(into: log, as: "b").disposed(by: bag)
    subject.update(1)
    #expect(
      log.entries == [
        "a1", "a1 returns", "b1", "a10", "a10 returns", "b10", "a11", "a11 returns", "b11",
      ])
  }

  @Test("V1: nested updates do not grow the stack")
  func deepNesting() {
    let subject = PublishSubject<Int>()
    var last = 0
    let token = subject.subscribe { value in
      last = value
      if value < Stress.size(100_000) {
        subject.update(value + 1)
      }
    }
    subject.update(1)
    #expect(last == Stress.size(100_000))
    token.remove()
  }

  @Test("H3: a subscriber that is removed during a delivery is not called")
  func removalDuringDelivery() {
    let subject = PublishSubject<Int>()
    let log = Log()
    var tokens: [any SimpleEventToken] = []
    tokens.append(
      subject.subscribe { value in
        log.add("a\(value)")
        tokens[0].remove()
        tokens[2].remove()
      })
    tokens.append(subject.log(into: log, as: "b"))
    tokens.append(subject.log(into: log, as: "c"))
    subject.update(1)
    subject.update(2)
    #expect(log.entries == ["a1", "b1", "b2"])
  }

  @Test("H3: a subscriber that is removed before a nested update is delivered does not receive it")
  func removalBeforeNestedUpdate() {
    let subject = PublishSubject<Int>()
    let log = Log()
    var tokens: [any SimpleEventToken] = []
    tokens.append(
      subject.subscribe { value in
        if value == 1 {
          subject.update(2)
          tokens[1].remove()
        }
      })
    tokens.append(subject.log(into: log))
    subject.update(1)
    #expect(log.entries == [])
    tokens[0].remove()
  }

  @Test("H3: a subscriber that is added during a delivery does not receive the current value")
  func additionDuringDelivery() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let bag = DisposeBag()
    subject.subscribe { value in
      if value == 1 {
        subject.log(into: log).disposed(by: bag)
      }
    }.disposed(by: bag)
    subject.update(1)
    #expect(log.entries == [])
    subject.update(2)
    #expect(log.entries == ["2"])
    bag.disposeAll()
  }

  @Test(
    "V1: a subscriber that is added during a delivery receives the replayed value once",
    arguments: [true, false])
  func replayDuringDelivery(first: Bool) {
    let variable = Variable(0)
    let log = Log()
    let bag = DisposeBag()
    variable.subscribe { value in
      if value == 1 {
        // In both cases the subscriber is added at the same point of the sequence.
        if first { variable.value = 2 }
        variable.log(into: log).disposed(by: bag)
        if !first { variable.value = 2 }
      }
    }.disposed(by: bag)
    variable.value = 1
    #expect(log.entries == (first ? ["2"] : ["1", "2"]))
    bag.disposeAll()
  }

  @Test("V1: a subscription that is removed before it begins never begins")
  func removalBeforeBeginning() {
    let variable = Variable(0)
    let log = Log()
    let token = variable.skip(1).subscribe { _ in
      variable.log(into: log).remove()
    }
    variable.value = 1
    variable.value = 2
    #expect(log.entries == [])
    token.remove()
  }

  @Test("H3: the last reference to a subject may be released during a delivery")
  func droppedDuringDelivery() {
    var subject: PublishSubject<Int>? = PublishSubject()
    let log = Log()
    let first = subject?.subscribe { _ in subject = nil }
    let second = subject?.log(into: log)
    subject?.update(1)
    #expect(subject == nil)
    #expect(log.entries == ["1", "done"])
    first?.remove()
    second?.remove()
  }

  @Test("V4: no event follows the end")
  func noEventAfterEnd() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let token = subject.log(into: log)
    subject.update(1)
    subject.finish()
    subject.update(2)
    subject.fail(Broken())
    subject.finish()
    #expect(log.entries == ["1", "done"])
    token.remove()
  }

  @Test("V4: an error reaches all subscribers, and no event follows the error")
  func noEventAfterError() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let tokens = [subject.log(into: log, as: "a"), subject.log(into: log, as: "b")]
    subject.fail(Broken())
    subject.update(2)
    subject.finish()
    #expect(log.entries == ["aerror broken", "berror broken"])
    withExtendedLifetime(tokens) {}
  }

  @Test("V4: a nested end is delivered after the current value and drops later values")
  func nestedEnd() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let tokens = [
      subject.subscribe { value in
        subject.update(value + 1)
        subject.finish()
        subject.update(value + 2)
      },
      subject.log(into: log),
    ]
    subject.update(1)
    #expect(log.entries == ["1", "2", "done"])
    withExtendedLifetime(tokens) {}
  }

  @Test("V4: a late subscriber of a finished subject receives the end")
  func lateSubscriber() {
    let log = Log()
    let finished = PublishSubject<Int>()
    finished.update(1)
    finished.finish()
    let failed = PublishSubject<Int>()
    failed.fail(Broken())
    let tokens = [finished.log(into: log), failed.log(into: log)]
    #expect(log.entries == ["done", "error broken"])
    withExtendedLifetime(tokens) {}
  }

  @Test("V4: a late subscriber of a finished subject receives the replayed values, then the end")
  func lateSubscriberOfReplay() {
    let log = Log()
    let variable = Variable(1)
    variable.value = 2
    variable.finish()
    let replay = ReplaySubject<Int>(bufferSize: 2)
    for value in 3...5 {
      replay.update(value)
    }
    replay.fail(Broken())
    let tokens = [variable.log(into: log), replay.log(into: log)]
    #expect(log.entries == ["2", "done", "4", "5", "error broken"])
    withExtendedLifetime(tokens) {}
  }

  @Test("V4: a subject finishes when it is deallocated")
  func deallocation() {
    let log = Log()
    var subject: PublishSubject<Int>? = PublishSubject()
    let token = subject?.log(into: log)
    subject?.update(1)
    subject = nil
    #expect(log.entries == ["1", "done"])
    token?.remove()
  }

  @Test("PublishSubject: a subject of Void is updated without an argument")
  func voidSubject() {
    let subject = PublishSubject<Void>()
    var count = 0
    let token = subject.subscribe { count += 1 }
    subject.update()
    #expect(count == 1)
    token.remove()
  }

  @Test("asObservable: is not a subject and keeps the subject alive")
  func asObservable() {
    weak var weakSubject: PublishSubject<Int>?
    let face: Observable<Int>
    do {
      let subject = PublishSubject<Int>()
      subject.update(7)
      weakSubject = subject
      face = subject.asObservable()
    }
    #expect(!(face is Subject<Int>))
    #expect(face.value == 7)
    let log = Log()
    let token = face.log(into: log)
    weakSubject?.update(8)
    #expect(log.entries == ["8"])
    token.remove()
  }
}
