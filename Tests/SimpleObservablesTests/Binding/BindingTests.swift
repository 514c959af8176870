import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

private final class Label {
  var text: String = ""
  var title: String?
}

@Suite struct BindingTests {
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

  @Test("bind: holds its target weakly, or on request strongly until its removal", arguments: [false, true])
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

  @Test("bind: a variable that is bound to another one follows it")
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

  @Test("bind: two unique variables that follow each other settle")
  func mutualBinding() {
    let a = Unique(1)
    let b = Unique(2)
    let tokens = [a.bind(to: b), b.bind(to: a)]
    #expect(a.value == 2)
    b.value = 3
    #expect(a.value == 3)
    a.value = 4
    #expect(b.value == 4)
    withExtendedLifetime(tokens) {}
  }

  @Test("forward: sends values and the end through a subject")
  func forward() {
    let source = PublishSubject<Int>()
    let target = PublishSubject<Int>()
    let log = Log()
    let tokens = [target.log(into: log), source.forward(to: target)]
    source.update(1)
    source.fail(Broken())
    #expect(log.entries == ["1", "error broken"])
    withExtendedLifetime(tokens) {}
  }

  @Test("V4, forward: keeps its subject alive until it is removed")
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
