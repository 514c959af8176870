import SimpleEvents
import TestSupport
import Testing

/// Synchronous events as a client uses them.
struct SimpleEventClientTests {
  @Test("E1: a view follows its model synchronously")
  func synchronousUpdates() {
    let track = StoredTrack(title: "Intro")
    let view = TrackView(track: track)
    #expect(view.text == "Intro")
    track.rename("Overture")
    #expect(view.text == "Overture")
    #expect(view.updates == 2)
    track.rename("Overture")
    #expect(view.updates == 2)
  }

  @Test("E5: a removed token ends the updates")
  func removedToken() {
    let track = StoredTrack(title: "Intro")
    let view = TrackView(track: track)
    view.pause()
    view.pause()
    track.rename("Overture")
    #expect(view.text == "Intro")
  }

  @Test("E5: a deallocated view removes its block")
  func deallocatedView() {
    let track = StoredTrack(title: "Intro")
    weak var weakView: TrackView?
    do {
      let view = TrackView(track: track)
      weakView = view
      #expect(view.updates == 1)
    }
    #expect(weakView == nil)
    track.rename("Overture")
  }

  @Test("E5: an optional chain returns a token or nil")
  func optionalChain() {
    let track = StoredTrack(title: "Intro")
    let first = RatedTrack(title: "Verse")
    let second = StoredTrack(title: "Chorus")
    let view = TrackView(track: track)
    view.next = first
    #expect(view.text == "Intro, Verse")
    first.stars = 5
    #expect(view.updates == 3)

    view.next = second
    first.stars = 1
    #expect(view.updates == 4)
    second.rename("Refrain")
    #expect(view.text == "Intro, Refrain")

    view.next = nil
    second.rename("Chorus")
    #expect(view.updates == 6)
  }

  @Test("E2: nested coalescing blocks give one notification")
  func nestedBlocks() {
    let track = StoredTrack(title: "Intro")
    let view = TrackView(track: track)
    track.retag(title: "Overture", artist: "Trio")
    #expect(view.updates == 2)
    track.correct(title: "Prelude", artist: "Quartet")
    #expect(view.updates == 3)
    track.batch(track.touch)
    #expect(view.updates == 4)
    track.batch {}
    #expect(view.updates == 4)
  }

  @Test("E1, H1: blocks are called in the order of registration, with the event")
  func registrationOrder() {
    let event = SimpleEvent()
    let observable: SimpleEventObservable = event
    let log = Log()
    var tokens: [SimpleEventToken?] = (1...3).map { number in
      observable.addObserver { sender in
        log.add("\(number) \(sender === event)")
      }
    }
    event.trigger()
    #expect(log.entries == ["1 true", "2 true", "3 true"])
    tokens[1] = nil
    event.trigger(if: true)
    #expect(log.entries.suffix(2) == ["1 true", "3 true"])
    tokens.compactMap { $0 }.forEach { $0.remove() }
    event.trigger()
    #expect(log.entries.count == 5)
  }

  @Test("E5: assigning a new token removes the block of the previous token")
  func assignedToken() {
    let event = SimpleEvent()
    let log = Log()
    var token: SimpleEventToken?
    event.addObserver(&token) { _ in log.add("old") }
    event.addObserver(&token) { _ in log.add("new") }
    event.trigger()
    #expect(log.entries == ["new"])
    token = nil
    event.trigger()
    #expect(log.entries == ["new"])
  }

  @Test("E5: a token may outlive its event")
  func tokenOutlivesEvent() {
    var event: SimpleEvent? = SimpleEvent()
    weak let weakEvent = event
    var token: SimpleEventToken?
    event?.addObserver(&token) { _ in }
    event = nil
    #expect(weakEvent == nil)
    token?.remove()
    token = nil
  }

  @Test("SimpleEventObservable: a block is stored as an ObserverBlock")
  func storedBlock() {
    let log = Log()
    let block: SimpleEventObservable.ObserverBlock = { _ in log.add("called") }
    let event = SimpleEvent()
    let observable: SimpleEventObservable = event
    var first: SimpleEventToken?
    event.addObserver(&first, block)
    let second = observable.addObserver(block)
    event.trigger()
    #expect(log.entries == ["called", "called"])
    first?.remove()
    second?.remove()
    event.trigger()
    #expect(log.entries.count == 2)
  }

  @Test("SimpleEvent: members are used as function values")
  func functionValues() {
    let event = SimpleEvent()
    let log = Log()
    var token: SimpleEventToken?
    event.addObserver(&token) { _ in log.add("called") }

    let trigger: (Bool) -> Void = event.trigger(if:)
    trigger(true)
    trigger(false)
    #expect(log.entries.count == 1)
    let batch: (() -> ()) -> Void = event.coalescingNotifications(block:)
    batch {
      event.trigger()
      event.trigger()
    }
    #expect(log.entries.count == 2)
    let remove = token?.remove
    remove?()
    event.trigger()
    #expect(log.entries.count == 2)
  }

  @Test("E1, H7: an observer in delegate style is called until its removal")
  func delegate() {
    let first = SimpleEvent()
    let second = LazySimpleEvent()
    let log = Log()
    var counter: PlayCounter? = PlayCounter(first, second, log: log)
    first.trigger()
    counter?.simpleEventDidTrigger(second)
    #expect(log.entries == ["event 0", "event 1"])
    counter = nil
    first.trigger()
    #expect(log.entries.count == 2)
  }

  @Test("H3: an observer that is removed before its turn is not called")
  func removalBeforeTurn() {
    let event = SimpleEvent()
    let log = Log()
    var later: PlayCounter?
    var token: SimpleEventToken?
    event.addObserver(&token) { _ in
      log.add("first")
      later = nil
    }
    later = PlayCounter(event, log: log)
    #expect(later != nil)
    event.trigger()
    #expect(log.entries == ["first"])
  }

  @Test("H3: an observer that is added during a notification is called from the next one on")
  func additionDuringNotification() {
    let event = SimpleEvent()
    let log = Log()
    var outer: SimpleEventToken?
    var inner: SimpleEventToken?
    event.addObserver(&outer) { event in
      log.add("outer")
      if inner == nil {
        event.addObserver(&inner) { _ in log.add("inner") }
      }
    }
    event.trigger()
    #expect(log.entries == ["outer"])
    event.trigger()
    #expect(log.entries == ["outer", "outer", "inner"])
  }
}
