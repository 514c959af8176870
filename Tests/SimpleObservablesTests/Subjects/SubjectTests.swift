import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// Order, reentrancy, removal and the end: what all subjects have in common.
@Suite struct SubjectTests {
  @Test func `H1 subscribers are called in the order they subscribed`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    var tokens = ["a", "b", "c", "d"].map { subject.log(into: log, as: $0) }
    tokens.remove(at: 1).remove()
    tokens.append(subject.log(into: log, as: "e"))
    subject.update(1)
    #expect(log.entries == ["a1", "c1", "d1", "e1"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a publish subject replays nothing`() {
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

  @Test func `a nested update comes after the current value has reached everybody`() {
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

  @Test func `a chain of nested updates does not grow the stack`() {
    let subject = PublishSubject<Int>()
    var last = 0
    let token = subject.subscribe { value in
      last = value
      if value < 100_000 {
        subject.update(value + 1)
      }
    }
    subject.update(1)
    #expect(last == 100_000)
    token.remove()
  }

  @Test func `H3 a subscriber removed during a delivery is not called`() {
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

  @Test func `a subscriber removed before a nested update is delivered does not get it`() {
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

  @Test func `H3 a subscriber added during a delivery is not called for the value in flight`() {
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

  @Test(arguments: [true, false])
  func `a replaying subject gives the newest value once to a subscriber added in a delivery`(first: Bool) {
    let variable = Variable(0)
    let log = Log()
    let bag = DisposeBag()
    variable.subscribe { value in
      if value == 1 {
        // Whichever comes first: the subscriber joins at one point of the sequence.
        if first { variable.value = 2 }
        variable.log(into: log).disposed(by: bag)
        if !first { variable.value = 2 }
      }
    }.disposed(by: bag)
    variable.value = 1
    #expect(log.entries == (first ? ["2"] : ["1", "2"]))
    bag.disposeAll()
  }

  @Test func `a subscription removed before it has begun never begins`() {
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

  @Test func `the last reference to a subject may go in the middle of a delivery`() {
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

  @Test func `nothing comes after the end`() {
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

  @Test func `nothing comes after an error, which goes to all`() {
    let subject = PublishSubject<Int>()
    let log = Log()
    let tokens = [subject.log(into: log, as: "a"), subject.log(into: log, as: "b")]
    subject.fail(Broken())
    subject.update(2)
    subject.finish()
    #expect(log.entries == ["aerror broken", "berror broken"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a nested end comes after the current value, and drops what is sent after it`() {
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

  @Test func `late subscribers of a finished subject are told the end`() {
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

  @Test func `late subscribers of a finished subject are told the end after what is replayed`() {
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

  @Test func `a subject that is deallocated finishes`() {
    let log = Log()
    var subject: PublishSubject<Int>? = PublishSubject()
    let token = subject?.log(into: log)
    subject?.update(1)
    subject = nil
    #expect(log.entries == ["1", "done"])
    token?.remove()
  }

  @Test func `a subject of nothing needs no argument`() {
    let subject = PublishSubject<Void>()
    var count = 0
    let token = subject.subscribe { count += 1 }
    subject.update()
    #expect(count == 1)
    token.remove()
  }

  @Test func `a read-only face is no subject in disguise, and keeps the subject alive`() {
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
