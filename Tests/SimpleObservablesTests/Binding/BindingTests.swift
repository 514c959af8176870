import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

private final class Label {
  var text: String = ""
  var title: String?
}

struct BindingTests {
  @Test("bind: sets a property to each value")
  func property() {
    let variable = Variable("a")
    let label = Label()
    let token = variable.bind(to: \.text, on: label)
    #expect(label.text == "a")
    variable.value = "b"
    #expect(label.text == "b")
    token.remove()
    variable.value = "c"
    #expect(label.text == "b")
  }

  @Test("bind: sets an optional property to each value")
  func optionalProperty() {
    let label = Label()
    let token = Variable("a").bind(to: \.title, on: label)
    #expect(label.title == "a")
    let optional = Variable<String?>(nil).bind(to: \.title, on: label)
    #expect(label.title == nil)
    token.remove()
    optional.remove()
  }

  @Test("bind: holds its target weakly, or on request strongly until the removal", arguments: [false, true])
  func targetLifetime(strongly: Bool) {
    let variable = Variable("a")
    weak var weakLabel: Label?
    let token: any SimpleEventToken
    do {
      let label = Label()
      weakLabel = label
      token = variable.bind(to: \.text, on: label, strongly: strongly)
    }
    variable.value = "b"
    #expect(weakLabel?.text == (strongly ? "b" : nil))
    token.remove()
    #expect(weakLabel == nil)
  }

  @Test("bind: a variable that is bound to another variable follows that variable")
  func variableFollowsVariable() {
    let isLoading = Variable(true)
    let isAnimating = Variable(false)
    let token = isAnimating.bind(to: isLoading)
    #expect(isAnimating.value)
    isLoading.value = false
    #expect(!isAnimating.value)
    isAnimating.value = true
    #expect(!isLoading.value)
    isLoading.finish()
    isAnimating.value = false
    #expect(!isAnimating.value)
    token.remove()
  }

  @Test("bind: a binding does not keep the following variable alive")
  func weakFollower() {
    let source = Variable(1)
    weak var weakFollower: Variable<Int>?
    let token: any SimpleEventToken
    do {
      let follower = Variable(0)
      weakFollower = follower
      token = follower.bind(to: source)
    }
    #expect(weakFollower == nil)
    source.value = 2
    token.remove()
  }

  @Test("bind: a variable ignores a value that equals its own, if values can be compared")
  func equalValue() {
    let source = Variable(1)
    let follower = Variable(1)
    let log = Log()
    let tokens = [follower.log(into: log), follower.bind(to: source)]
    source.value = 1
    source.value = 2
    source.value = 2
    #expect(log.entries == ["1", "2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("bind: variables that follow each other settle", arguments: [false, true])
  func mutualBinding(unique: Bool) {
    let a = unique ? DistinctVariable(1) : Variable(1)
    let b = unique ? DistinctVariable(2) : Variable(2)
    let tokens = [a.bind(to: b), b.bind(to: a)]
    #expect(a.value == 2)
    b.value = 3
    #expect(a.value == 3)
    a.value = 4
    #expect(b.value == 4)
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "bind: variables that follow each other settle if one is set in a delivery", arguments: [false, true])
  func mutualBindingDuringDelivery(unique: Bool) {
    let a = unique ? DistinctVariable(0) : Variable(0)
    let b = unique ? DistinctVariable(0) : Variable(0)
    var deliveries = 0
    let correction = a.subscribe { value in
      deliveries += 1
      if deliveries > 100 { return a.finish() }
      if value == 10 { a.value = 9 }
    }
    let tokens = [b.bind(to: a), a.bind(to: b)]
    a.value = 10
    #expect(a.value == 9 && b.value == 9)
    #expect(deliveries == 3)
    withExtendedLifetime((correction, tokens)) {}
  }

  @Test("bind: a binding keeps neither of its variables alive")
  func bindingKeepsNothing() {
    var (a, b): (Variable<Int>?, Variable<Int>?) = (Variable(0), Variable(0))
    weak let (weakA, weakB) = (a, b)
    let tokens = [b!.bind(to: a!), a!.bind(to: b!)]
    a!.value = 1
    (a, b) = (nil, nil)
    #expect(weakA == nil && weakB == nil)
    withExtendedLifetime(tokens) {}
  }

  @Test("V4, forward: sends values to a subject, and the end only on request", arguments: [false, true])
  func forward(includingEnd: Bool) {
    let sources = (PublishSubject<Int>(), PublishSubject<Int>())
    let target = PublishSubject<Int>()
    let log = Log()
    let tokens = [
      target.log(into: log), sources.0.forward(to: target, includingEnd: includingEnd),
      sources.1.forward(to: target, includingEnd: includingEnd),
    ]
    sources.0.update(1)
    sources.0.fail(Broken())
    sources.1.update(2)
    sources.1.finish()
    #expect(log.entries == (includingEnd ? ["1", "error broken"] : ["1", "2"]))
    withExtendedLifetime(tokens) {}
  }

  @Test("V4, forward: a deallocated source does not change the subject, in any order of its properties")
  func forwardFromDeallocated() {
    final class SubjectFirst {
      let subject: PublishSubject<Int> = PublishSubject()
      let bag: DisposeBag = DisposeBag()
      init(_ bus: PublishSubject<Int>, includingEnd: Bool = false) {
        subject.forward(to: bus, includingEnd: includingEnd).disposed(by: bag)
        subject.update(1)
      }
    }
    final class BagFirst {
      let bag: DisposeBag = DisposeBag()
      let subject: PublishSubject<Int> = PublishSubject()
      init(_ bus: PublishSubject<Int>, includingEnd: Bool = false) {
        subject.forward(to: bus, includingEnd: includingEnd).disposed(by: bag)
        subject.update(2)
      }
    }
    let log = Log()
    let bus = PublishSubject<Int>()
    let token = bus.log(into: log)
    _ = SubjectFirst(bus)
    _ = BagFirst(bus)
    bus.update(3)
    #expect(log.entries == ["1", "2", "3"])
    // With `includingEnd`, the end is sent when the subject is deallocated before the bag.
    _ = BagFirst(bus, includingEnd: true)
    _ = SubjectFirst(bus, includingEnd: true)
    #expect(log.entries == ["1", "2", "3", "2", "1", "done"])
    token.remove()
  }

  @Test(
    "V4: a subscriber in the bag of its model receives the end in deinit only if the bag comes after the subject"
  )
  func endInDeinit() {
    final class SubjectFirst {
      let subject: PublishSubject<Int> = PublishSubject()
      let bag: DisposeBag = DisposeBag()
      init(_ log: Log) { subject.log(into: log, as: "subject first ").disposed(by: bag) }
    }
    final class BagFirst {
      let bag: DisposeBag = DisposeBag()
      let subject: PublishSubject<Int> = PublishSubject()
      init(_ log: Log) { subject.log(into: log, as: "bag first ").disposed(by: bag) }
    }
    let log = Log()
    _ = SubjectFirst(log)
    _ = BagFirst(log)
    #expect(log.entries == ["subject first done"])
  }

  @Test("V4, forward: keeps its target subject alive until it is removed")
  func forwardKeepsSubject() {
    let source = PublishSubject<Int>()
    let log = Log()
    let listening: any SimpleEventToken
    let forwarding: any SimpleEventToken
    do {
      let target = PublishSubject<Int>()
      listening = target.log(into: log)
      forwarding = source.forward(to: target)
    }
    source.update(1)
    forwarding.remove()
    #expect(log.entries == ["1", "done"])
    listening.remove()
  }
}
