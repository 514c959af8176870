import SimpleEvents
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
    let journal = Journal()
    var tokens: [SimpleEventToken?] = (1...3).map { number in
      observable.addObserver { sender in
        journal.note("\(number) \(sender === event)")
      }
    }
    event.trigger()
    #expect(journal.entries == ["1 true", "2 true", "3 true"])
    tokens[1] = nil
    event.trigger(if: true)
    #expect(journal.entries.suffix(2) == ["1 true", "3 true"])
    tokens.compactMap { $0 }.forEach { $0.remove() }
    event.trigger()
    #expect(journal.entries.count == 5)
  }

  @Test func `a new token takes the place of the old one`() {
    let event = SimpleEvent()
    let journal = Journal()
    var token: SimpleEventToken?
    event.addObserver(&token) { _ in journal.note("old") }
    event.addObserver(&token) { _ in journal.note("new") }
    event.trigger()
    #expect(journal.entries == ["new"])
    token = nil
    event.trigger()
    #expect(journal.entries == ["new"])
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
    let journal = Journal()
    let block: SimpleEventObservable.ObserverBlock = { _ in journal.note("called") }
    let event = SimpleEvent()
    let observable: SimpleEventObservable = event
    var first: SimpleEventToken?
    event.addObserver(&first, block)
    let second = observable.addObserver(block)
    event.trigger()
    #expect(journal.entries == ["called", "called"])
    first?.remove()
    second?.remove()
    event.trigger()
    #expect(journal.entries.count == 2)
  }

  @Test func `members can be used as values`() {
    let event = SimpleEvent()
    let journal = Journal()
    var token: SimpleEventToken?
    event.addObserver(&token) { _ in journal.note("called") }

    let trigger: (Bool) -> Void = event.trigger(if:)
    trigger(true)
    trigger(false)
    #expect(journal.entries.count == 1)
    let batch: (() -> ()) -> Void = event.coalescingNotifications(block:)
    batch {
      event.trigger()
      event.trigger()
    }
    #expect(journal.entries.count == 2)
    let remove = token?.remove
    remove?()
    event.trigger()
    #expect(journal.entries.count == 2)
  }

  @Test func `observers in delegate style are called until they are removed`() {
    let first = SimpleEvent()
    let second = LazySimpleEvent()
    let journal = Journal()
    var counter: PlayCounter? = PlayCounter(first, second, journal: journal)
    first.trigger()
    counter?.simpleEventDidTrigger(second)
    #expect(journal.entries == ["event 0", "event 1"])
    counter = nil
    first.trigger()
    #expect(journal.entries.count == 2)
  }

  @Test func `an observer that is removed before its turn is not called`() {
    let event = SimpleEvent()
    let journal = Journal()
    var later: PlayCounter?
    var token: SimpleEventToken?
    event.addObserver(&token) { _ in
      journal.note("first")
      later = nil
    }
    later = PlayCounter(event, journal: journal)
    #expect(later != nil)
    event.trigger()
    #expect(journal.entries == ["first"])
  }

  @Test func `an observer that is added during a notification is called from the next one on`() {
    let event = SimpleEvent()
    let journal = Journal()
    var outer: SimpleEventToken?
    var inner: SimpleEventToken?
    event.addObserver(&outer) { event in
      journal.note("outer")
      if inner == nil {
        event.addObserver(&inner) { _ in journal.note("inner") }
      }
    }
    event.trigger()
    #expect(journal.entries == ["outer"])
    event.trigger()
    #expect(journal.entries == ["outer", "outer", "inner"])
  }
}
