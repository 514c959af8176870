import Dispatch
import Foundation
import SimpleEvents
import TestSupport
import Testing

/// Deliveries on the main queue, which is the default. The tests assert the order of calls, and lower
/// bounds of time.
@MainActor @Suite(.serialized, .timeLimit(.minutes(10))) struct MainQueueTests {
  private let first = SimpleEvent()
  private let second = SimpleEvent()
  private let deliveries = Deliveries()

  @Test("E4: a lazy event notifies on the main queue once")
  func lazyEvent() async {
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

  @Test("E4: a trigger from another thread is delivered on the main queue")
  func triggerFromOtherThread() async {
    let event = LazySimpleEvent()
    let token = event.addObserver { _ in deliveries.note() }
    DispatchQueue.global().async { event.trigger() }
    await deliveries.reach(1)
    withExtendedLifetime(token) {}
  }

  @Test("CoalescingCallback: runs on the queue that it was given")
  nonisolated func callbackOnQueue() async {
    let queue = DispatchQueue(label: "client", qos: .utility)
    await withCheckedContinuation { continuation in
      var callback: CoalescingCallback?
      callback = CoalescingCallback(queue: queue) {
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume()
        callback = nil
      }
      // The call is made on the queue, so that the callback cannot run before the variable is assigned.
      queue.sync { callback?.schedule() }
    }
  }

  @Test("E7: proxies in a class hierarchy notify once for the changes of a turn")
  func proxiesInClassHierarchy() async {
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
    // The notification of the lazy source takes another turn.
    playlist.name = "Favorites"
    await deliveries.reach(4)
    await mainQueueTurn()
    #expect(deliveries.count == 4)
    withExtendedLifetime((base, all)) {}
  }

  @Test("E9: a screen on the main actor is refreshed on the main actor")
  func screen() async {
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
    // The lazy event takes another turn, so there are one or two batches.
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

  @Test("E8: a group observer without a timeout delivers on the next turn")
  func groupObserverWithoutTimeout() async {
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
    "C8: without a positive timeout every policy delivers on the next turn",
    arguments: [0, -1], [SimpleEventGroupObserver.DebouncePolicy.default, .debounceLeading, .throttle])
  func timeoutOfZero(_ timeout: TimeInterval, _ policy: SimpleEventGroupObserver.DebouncePolicy) async {
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

  @Test("DebouncePolicy.default: delivers a timeout after the last event")
  func defaultPolicy() async throws {
    let follower = Follower()
    let timeout: TimeInterval = 0.04
    follower.follow([first, second], timeout: timeout, policy: .default)
    let start = DispatchTime.now()
    first.trigger()
    await mainQueue(runsFor: timeout / 2)
    second.trigger()
    // On a busy machine the first event may be delivered alone.
    while !Task.isCancelled && !follower.batches.joined().contains(where: { $0 === second }) {
      await mainQueueTurn()
    }
    let instant = try #require(follower.deliveries.instants.last)
    // The bound is not measured from the second event, because a busy machine delivers that event together
    // with the first.
    #expect(instant >= start + timeout)
    follower.stop()
  }

  @Test("DebouncePolicy.debounceLeading: delivers only the first event of a burst")
  func leadingPolicy() async {
    // The window is longer than a test may take.
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

  @Test("DebouncePolicy.throttle: delivers during a storm, a timeout after the first event")
  func throttlePolicy() async throws {
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

  @Test("E6: a removed group observer does not deliver, even if a delivery is pending")
  func removedGroupObserver() async {
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

  @Test(
    "C8: a timeout that is not a number is flagged, and delivers on the next turn",
    arguments: [SimpleEventGroupObserver.DebouncePolicy.default, .debounceLeading, .throttle])
  func timeoutOfNaN(_ policy: SimpleEventGroupObserver.DebouncePolicy) async {
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
