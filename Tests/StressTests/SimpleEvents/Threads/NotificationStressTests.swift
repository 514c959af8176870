import Dispatch
import Observation
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// Tasks and threads that use one event, mailbox or observed model. Nothing is lost, and notifications are
/// not queued.
@Suite(.serialized) struct NotificationStressTests {
  private final class Shared: Sendable {
    let number: Atomic<Int> = Atomic(0)
    private let received: Guarded<[Int]> = Guarded([])

    var values: [Int] { received.withLock { $0 } }

    func add(_ value: Int) { received.withLock { $0.append(value) } }
  }

  @Test("N2, N3: readers on several threads see the last write, and end with the event")
  func readers() async {
    let rounds = Stress.rounds(100_000)
    let shared = Shared()
    var event: LazySimpleEvent? = LazySimpleEvent(on: DispatchQueue(label: "event"))
    let notifications = event!.notifications
    let last = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var seen = 0
          for await _ in notifications { seen = shared.number.load(ordering: .relaxed) }
          return seen
        }
      }
      for _ in 0..<rounds {
        shared.number.wrappingAdd(1, ordering: .relaxed)
        event!.trigger()
      }
      await delivery(of: event!)
      event = nil
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(last == Array(repeating: rounds, count: 4))
  }

  /// Returns when the event has delivered its last notification.
  private func delivery(of event: LazySimpleEvent) async {
    let notifications = event.notifications
    event.trigger()
    for await _ in notifications { break }
  }

  @Test("N3: readers that start and are cancelled while the event notifies leave no observer")
  func cancelledReaders() async {
    let event = SimpleEvent()
    let source = Unchecked(event)
    let isOver = Flag()
    let triggering = Task.detached {
      while !isOver.isSet { source.value.trigger() }
    }
    for _ in 0..<Stress.rounds(20_000) {
      let notifications = event.notifications
      let tasks = (0..<2).map { _ in
        Task.detached {
          for await _ in notifications where Task.isCancelled { break }
        }
      }
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
    }
    isOver.set()
    await triggering.value
    #expect(!event.debugDescription.contains("block"))
  }

  @Test("M3: each value goes to one task, even if tasks are cancelled in the meantime")
  func mailbox() async {
    let rounds = Stress.rounds(100_000)
    let box = SimpleMailbox<Int>(event: LazySimpleEvent(on: DispatchQueue(label: "mail")))
    let shared = Shared()
    let readers = (0..<3).map { _ in
      Task.detached {
        while let value = await box.next() { shared.add(value) }
      }
    }
    let cancelled = Task.detached {
      for _ in 0..<rounds {
        let task = Task.detached { await box.next() }
        task.cancel()
        if let value = await task.value { shared.add(value) }
      }
    }
    let placed = await Task.detached {
      (0..<rounds).filter { box.placeIfFits($0) }
    }.value
    await cancelled.value
    for reader in readers { reader.cancel() }
    for reader in readers { await reader.value }
    if let value = box.take() { shared.add(value) }
    #expect(shared.values.sorted() == placed)
  }

  /// A model whose setter holds the lock that the getter takes, around `withMutation`.
  private final class Counter: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    // The count is not in a `Mutex`: the sanitizer does not see when a thread had to wait for a `Mutex`.
    private let count: Guarded<Int> = Guarded(0)

    var value: Int {
      registrar.access(self, keyPath: \.value)
      return count.withLock { $0 }
    }

    func increment() {
      count.withLock { count in
        registrar.withMutation(of: self, keyPath: \.value) { count += 1 }
      }
    }
  }

  @Test(
    "O3, O4: a change elsewhere is not lost if the setter holds the lock, and leaves no memory behind",
    arguments: [false, true])
  func observation(isConcurrent: Bool) {
    let model = Counter()
    let rounds = Stress.rounds(200_000)
    let queue = DispatchQueue(label: "observer", attributes: isConcurrent ? .concurrent : [])
    let lastArrived = DispatchSemaphore(value: 0)
    let event = ObservationEvent(on: queue) { @Sendable in _ = model.value }
    let token = event.addObserver { @Sendable _ in
      if model.value == 2 * rounds { lastArrived.signal() }
    }
    onThreads(2) { _ in
      for _ in 0..<rounds { model.increment() }
    }
    #expect(lastArrived.waitOrGiveUp())
    // A turn that is still queued may request another turn.
    for _ in 0..<10 { queue.sync(flags: .barrier) {} }
    #if canImport(Glibc)
      // One reference belongs to the event itself, and the other reference to the latest run.
      #expect(unownedRetainCount(event) == 2)
    #endif
    withExtendedLifetime(token) {}
  }

  /// An actor that follows a model. The closure of the event runs on the actor.
  private actor Follower {
    func makeEvent(_ model: Counter) -> ObservationEvent {
      ObservationEvent(on: .actor(self)) { @Sendable in _ = model.value }
    }

    func follow(_ notifications: EventNotifications, _ model: Counter, until last: Int) async {
      for await _ in notifications where model.value == last { break }
    }
  }

  @Test("O1, O3: loops on an event's actor and elsewhere see the last change while observers come and go")
  func leftChanges() {
    let model = Counter()
    let last = 2 * Stress.rounds(200_000)
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let isOver = Flag()
    let following = Task.detached {
      let follower = Follower()
      let event = await follower.makeEvent(model)
      let (notifications, others) = (event.notifications, event.notifications)
      begun.signal()
      await withTaskGroup { group in
        group.addTask { await follower.follow(notifications, model, until: last) }
        group.addTask { await follower.follow(others, model, until: last) }
        group.addTask { for await _ in notifications where model.value == last { break } }
        group.addTask {
          while !isOver.isSet {
            let token = event.addObserver { @Sendable _ in }
            await Task.yield()
            token?.remove()
          }
        }
        for _ in 0..<3 { await group.next() }
        isOver.set()
      }
      ended.signal()
    }
    #expect(begun.waitOrGiveUp())
    onThreads(2) { _ in
      for _ in 0..<last / 2 { model.increment() }
    }
    #expect(ended.waitOrGiveUp())
    isOver.set()
    following.cancel()
  }
}

#if canImport(Glibc)
  /// The number of references that keep the memory of an object allocated.
  @_silgen_name("swift_unownedRetainCount")
  private func unownedRetainCount(_ object: AnyObject) -> UInt
#endif

/// An event that one thread at a time uses, and that a test passes to another thread.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
