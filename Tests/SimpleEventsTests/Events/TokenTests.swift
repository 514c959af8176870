import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E5, for both kinds of event.
@Suite struct TokenTests {
  enum Kind: CaseIterable {
    case simple
    case lazy
  }

  /// An event and the means to have it deliver.
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
        let event = LazySimpleEvent(scheduler: scheduler)
        self.event = event
        notify = {
          event.trigger()
          scheduler.run()
        }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `E5 removal is idempotent`(_ kind: Kind) {
    let subject = Subject(kind)
    var count = 0
    let token = subject.event.addObserver { _ in count += 1 }
    subject.notify()
    token?.remove()
    token?.remove()
    subject.notify()
    #expect(count == 1)
  }

  @Test(arguments: Kind.allCases)
  func `E5 a token that is let go removes its block`(_ kind: Kind) {
    let subject = Subject(kind)
    var count = 0
    var token = subject.event.addObserver { _ in count += 1 }
    subject.notify()
    token = nil
    subject.notify()
    #expect(count == 1)
    #expect(token == nil)
  }

  @Test(arguments: Kind.allCases)
  func `E5 assigning over a token removes the old block after adding the new one`(_ kind: Kind) {
    let subject = Subject(kind)
    let log = Log()
    var token: (any SimpleEventToken)?
    subject.event.addObserver(&token) { _ in log.add("old") }
    subject.event.addObserver(&token) { _ in log.add("new") }
    subject.notify()
    #expect(log.entries == ["new"])
    token?.remove()
  }

  @Test(arguments: Kind.allCases)
  func `E5 a block removed in a cycle is not called in it, and lets go at its end`(_ kind: Kind) {
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
    #expect(
      log.entries == ["removed", "last", "released"] || log.entries == ["removed", "released", "last"])
    withExtendedLifetime((first, last)) {}
  }

  @Test(arguments: Kind.allCases)
  func `E5 a block that removes itself finishes in peace`(_ kind: Kind) {
    let subject = Subject(kind)
    let log = Log()
    var token: (any SimpleEventToken)?
    do {
      let canary = Canary { log.add("released") }
      subject.event.addObserver(&token) { _ in
        token?.remove()
        token = nil
        withExtendedLifetime(canary) { log.add("still here") }
      }
    }
    subject.notify()
    #expect(log.entries == ["still here", "released"])
  }

  @Test(arguments: Kind.allCases)
  func `E5 outside a cycle the captures are released at once`(_ kind: Kind) {
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

  @Test func `E5 a token keeps neither the event nor what others captured alive`() {
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
