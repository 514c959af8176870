import Dispatch
import Foundation
import SimpleEvents
import TestSupport
import Testing

/// What delivers on the main queue because nothing else was asked for: orders and lower bounds of time.
@MainActor @Suite(.serialized, .timeLimit(.minutes(1))) struct MainQueueTests {
  private let first = SimpleEvent()
  private let second = SimpleEvent()
  private let deliveries = Deliveries()

  @Test func `a lazy event notifies on the main queue, once`() async {
    let event = LazySimpleEvent()
    let queued = LazySimpleEvent(queue: DispatchQueue.main)
    var token: SimpleEventToken?
    event.addObserver(&token) { _ in deliveries.note() }
    let other = queued.addObserver { _ in deliveries.note() }
    event.trigger()
    event.trigger()
    queued.trigger()
    #expect(deliveries.count == 0)
    await deliveries.reach(2)
    await mainQueueTurn()
    #expect(deliveries.count == 2)
    withExtendedLifetime((token, other)) {}
  }

  @Test func `a trigger from another thread arrives on the main queue`() async {
    let event = LazySimpleEvent()
    let token = event.addObserver { _ in deliveries.note() }
    DispatchQueue.global().async { event.trigger() }
    await deliveries.reach(1)
    withExtendedLifetime(token) {}
  }

  @Test func `a callback runs on the queue it was given`() async {
    let queue = DispatchQueue(label: "client", qos: .utility)
    await withCheckedContinuation { continuation in
      var callback: CoalescingCallback?
      callback = CoalescingCallback(queue: queue) {
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume()
        callback = nil
      }
      // On the queue itself, so that nothing runs while the callback is handed over.
      queue.sync { callback?.schedule() }
    }
  }

  @Test func `proxies in a class hierarchy notify once for what happens in a turn`() async {
    let owner = RatedTrack(title: "Owner")
    let playlist = SharedPlaylist(
      owner: owner, cover: StoredTrack(title: "Cover"), theme: StoredTrack(title: "Theme"))
    let base = playlist.didChange.addObserver { _ in deliveries.note() }
    playlist.name = "Favourites"
    playlist.cover.rename("Sleeve")
    playlist.theme.retag(title: "Motto", artist: "Trio")
    await deliveries.reach(1)

    let all = playlist.everything.addObserver { _ in deliveries.note() }
    #expect(playlist.requests.placeIfFits("louder"))
    owner.stars = 3
    await deliveries.reach(2)
    // One more turn for a source that is lazy itself.
    playlist.name = "Favorites"
    await deliveries.reach(4)
    await mainQueueTurn()
    #expect(deliveries.count == 4)
    withExtendedLifetime((base, all)) {}
  }

  @Test func `a screen on the main actor is refreshed there`() async {
    let playlist = SharedPlaylist(
      owner: StoredTrack(title: "Owner"), cover: StoredTrack(title: "Cover"),
      theme: StoredTrack(title: "Theme"))
    let screen = Screen(playlist: playlist)
    screen.appear()
    await screen.deliveries.reach(1)
    #expect(screen.groups.count == 1)
    playlist.name = "Favourites"
    await screen.deliveries.reach(2)
    screen.rotate()
    await screen.deliveries.reach(3)
    #expect(screen.refreshes == 2)
    screen.turnUp()
    // The lazy one takes a turn of its own: one batch or two.
    while !Task.isCancelled && screen.groups.joined().count < 3 {
      await mainQueueTurn()
    }
    let refreshes = screen.refreshes
    screen.disappear()
    playlist.name = "Favorites"
    await mainQueueTurn()
    await mainQueueTurn()
    #expect(screen.refreshes == refreshes)
  }

  @Test func `a group observer without a timeout delivers on the next turn`() async {
    var batches: [Int] = []
    let observer = SimpleEventGroupObserver(events: first, second) { events in
      batches.append(events.count)
      deliveries.note()
    }
    first.trigger()
    second.trigger()
    first.trigger()
    #expect(batches == [])
    await deliveries.reach(1)
    #expect(batches == [2])
    withExtendedLifetime(observer) {}
  }

  @Test(
    arguments: [0, -1], [SimpleEventGroupObserver.DebouncePolicy.default, .debounceLeading, .throttle])
  func `without a positive timeout the policy does not matter`(
    _ timeout: TimeInterval, _ policy: SimpleEventGroupObserver.DebouncePolicy
  ) async {
    let follower = Follower()
    follower.follow([first, second], timeout: timeout, policy: policy)
    for count in 1...2 {
      second.trigger()
      first.trigger()
      await follower.deliveries.reach(count)
    }
    #expect(follower.batches.map { $0.map { $0 === first ? 1 : 2 } } == [[2, 1], [2, 1]])
    follower.stop()
  }

  @Test func `the default policy waits for the timeout after an event`() async throws {
    let follower = Follower()
    let timeout: TimeInterval = 0.04
    follower.follow([first, second], timeout: timeout, policy: .default)
    let start = DispatchTime.now()
    first.trigger()
    await mainQueue(runsFor: timeout / 2)
    second.trigger()
    // On a machine that stalls, the first event has its own delivery.
    while !Task.isCancelled && !follower.batches.joined().contains(where: { $0 === second }) {
      await mainQueueTurn()
    }
    let instant = try #require(follower.deliveries.instants.last)
    // Not counted from the second one: where the machine stalls, that is delivered with the first.
    #expect(instant >= start + timeout)
    follower.stop()
  }

  @Test func `the leading policy delivers the first event, and no other while they go on`() async {
    // A window that no stall of a machine outlasts.
    let observer = SimpleEventGroupObserver(
      events: first, second, debounceTimeout: 1000, debouncePolicy: .debounceLeading
    ) { events in
      #expect(events.map { $0 === first } == [true])
      deliveries.note()
    }
    first.trigger()
    #expect(deliveries.count == 0)
    await deliveries.reach(1)
    second.trigger()
    await mainQueueTurn()
    first.trigger()
    await mainQueueTurn()
    #expect(deliveries.count == 1)
    observer.remove()
  }

  @Test func `the throttle policy delivers in the midst of a storm, a timeout after its beginning`()
    async throws
  {
    let timeout: TimeInterval = 0.03
    let observer = SimpleEventGroupObserver(
      events: [first, second], debounceTimeout: timeout, debouncePolicy: .throttle,
      block: { _ in deliveries.note() })
    let start = DispatchTime.now()
    while !Task.isCancelled && deliveries.count < 2 {
      first.trigger()
      second.trigger()
      await mainQueueTurn()
    }
    try #require(deliveries.count >= 2)
    #expect(deliveries.instants[0] >= start + timeout)
    #expect(deliveries.instants[1] >= start + 2 * timeout)
    observer.remove()
  }

  @Test func `a removed group observer says no more, also when its delivery is under way`() async {
    let observer = SimpleEventGroupObserver(events: [first], block: { _ in deliveries.note() })
    var dropped: SimpleEventGroupObserver? = SimpleEventGroupObserver(events: first) { _ in
      deliveries.note()
    }
    #expect(dropped != nil)
    first.trigger()
    observer.remove()
    observer.remove()
    dropped = nil
    await mainQueueTurn()
    await mainQueueTurn()
    #expect(deliveries.count == 0)
    withExtendedLifetime(observer) {}
  }

  @Test(arguments: [SimpleEventGroupObserver.DebouncePolicy.default, .debounceLeading, .throttle])
  func `a timeout that is no number is flagged, and means the next turn`(
    _ policy: SimpleEventGroupObserver.DebouncePolicy
  ) async {
    let misuses = MisuseLog()
    let observer = SimpleEventGroupObserver(
      events: first, debounceTimeout: .nan, debouncePolicy: policy, misuse: misuses.handler
    ) { _ in
      deliveries.note()
    }
    #expect(misuses.kinds == [.notANumber])
    for count in 1...2 {
      first.trigger()
      await deliveries.reach(count)
    }
    observer.remove()
  }
}
