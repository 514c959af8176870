import SimpleEvents
import TestSupport
import Testing

@Suite struct SimpleEventClientTests {
  @Test func `a view follows its model at once`() {
    let track = StoredTrack(title: "Intro")
    let view = TrackView(track: track)
    #expect(view.text == "Intro")
    track.rename("Overture")
    #expect(view.text == "Overture")
    #expect(view.updates == 2)
    track.rename("Overture")
    #expect(view.updates == 2)
  }

  @Test func `a removed token ends the updates`() {
    let track = StoredTrack(title: "Intro")
    let view = TrackView(track: track)
    view.pause()
    view.pause()
    track.rename("Overture")
    #expect(view.text == "Intro")
  }

  @Test func `a view that goes away takes its block along`() {
    let track = StoredTrack(title: "Intro")
    weak var gone: TrackView?
    do {
      let view = TrackView(track: track)
      gone = view
      #expect(view.updates == 1)
    }
    #expect(gone == nil)
    track.rename("Overture")
  }

  @Test func `an optional chain gives a token, or none`() {
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

  @Test func `a batch notifies once, whatever it nests`() {
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

  @Test func `the block is given the event it observes, in the order of registration`() {
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

  @Test func `a new token takes the place of the old one`() {
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

  @Test func `a token may outlive its event`() {
    var event: SimpleEvent? = SimpleEvent()
    weak let gone = event
    var token: SimpleEventToken?
    event?.addObserver(&token) { _ in }
    event = nil
    #expect(gone == nil)
    token?.remove()
    token = nil
  }

  @Test func `a block can be kept, by the name that the protocol gives its type`() {
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

  @Test func `members can be used as values`() {
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

  @Test func `observers in delegate style are called until they are removed`() {
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

  @Test func `an observer that is removed before its turn is not called`() {
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

  @Test func `an observer that is added during a notification is called from the next one on`() {
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
