import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E5 for both kinds of event.
struct TokenTests {
  enum Kind: CaseIterable {
    case simple
    case lazy
  }

  /// An event, and a function that makes the event notify.
  private struct Subject {
    let event: any SimpleEventObservable
    let notify: () -> Void

    init(_ kind: Kind) {
      switch kind {
      case .simple:
        let event = SimpleEvent()
        self.event = event
        notify = { event.trigger() }
      case .lazy:
        let scheduler = TestScheduler()
        let event = LazySimpleEvent(on: scheduler)
        self.event = event
        notify = {
          event.trigger()
          scheduler.run()
        }
      }
    }
  }

  @Test("E5: removal is idempotent", arguments: Kind.allCases)
  func removalTwice(_ kind: Kind) {
    let subject = Subject(kind)
    var count = 0
    let token = subject.event.addObserver { _ in count += 1 }
    subject.notify()
    token?.remove()
    token?.remove()
    subject.notify()
    #expect(count == 1)
  }

  @Test("E5: deallocation of a token removes its block", arguments: Kind.allCases)
  func deallocation(_ kind: Kind) {
    let subject = Subject(kind)
    var count = 0
    var token = subject.event.addObserver { _ in count += 1 }
    subject.notify()
    token = nil
    subject.notify()
    #expect(count == 1)
    #expect(token == nil)
  }

  @Test("E5: assigning a new token removes the block of the old token", arguments: Kind.allCases)
  func replacement(_ kind: Kind) {
    let subject = Subject(kind)
    let log = Log()
    var token: (any SimpleEventToken)?
    subject.event.addObserver(&token) { _ in log.add("old") }
    subject.event.addObserver(&token) { _ in log.add("new") }
    subject.notify()
    #expect(log.entries == ["new"])
    token?.remove()
  }

  @Test(
    "E5: a block removed before its turn is not called, and is released by the end of the cycle",
    arguments: Kind.allCases)
  func removalInCycle(_ kind: Kind) {
    let subject = Subject(kind)
    let log = Log()
    var victim: (any SimpleEventToken)?
    let first = subject.event.addObserver { _ in
      victim?.remove()
      victim = nil
      log.add("removed")
    }
    do {
      let canary = Canary { log.add("released") }
      victim = subject.event.addObserver { _ in
        withExtendedLifetime(canary) { log.add("called") }
      }
    }
    let last = subject.event.addObserver { _ in log.add("last") }
    subject.notify()
    #expect(log.entries.filter { $0 != "released" } == ["removed", "last"])
    #expect(log.entries.contains("released"))
    withExtendedLifetime((first, last)) {}
  }

  @Test("E5: a block that removes itself keeps its captures until it returns", arguments: Kind.allCases)
  func removalOfItself(_ kind: Kind) {
    let subject = Subject(kind)
    let log = Log()
    var token: (any SimpleEventToken)?
    do {
      let canary = Canary { log.add("released") }
      subject.event.addObserver(&token) { _ in
        token?.remove()
        token = nil
        withExtendedLifetime(canary) { log.add("complete") }
      }
    }
    subject.notify()
    #expect(log.entries == ["complete", "released"])
  }

  @Test("E5: removal outside a cycle releases the captures immediately", arguments: Kind.allCases)
  func removalReleasesCaptures(_ kind: Kind) {
    let subject = Subject(kind)
    weak var canary: Canary?
    var token: (any SimpleEventToken)?
    do {
      let strong = Canary()
      canary = strong
      subject.event.addObserver(&token) { _ in withExtendedLifetime(strong) {} }
    }
    #expect(canary != nil)
    token?.remove()
    #expect(canary == nil)
  }

  @Test("E5: a token keeps neither its event nor the captures of other blocks alive")
  func keepsNothingAlive() {
    weak var weakEvent: SimpleEvent?
    weak var canary: Canary?
    let kept: (any SimpleEventToken)?
    var other: (any SimpleEventToken)?
    do {
      let event = SimpleEvent()
      let strong = Canary()
      weakEvent = event
      canary = strong
      kept = event.addObserver { _ in }
      other = event.addObserver { _ in withExtendedLifetime(strong) {} }
    }
    #expect(weakEvent == nil)
    #expect(canary == nil)
    kept?.remove()
    other = nil
    #expect(other == nil)
  }
}
