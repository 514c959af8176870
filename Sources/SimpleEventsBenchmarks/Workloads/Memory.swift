internal import Dispatch
internal import Foundation
internal import SimpleEvents

/// The heap bytes of one object of each kind. The times are times of construction.
enum Memory {
  static var workloads: [Workload] { [idle, idleLazy, token, observer] }

  private static let sizes: [Int] = [1000, 100_000]

  private static func workload(_ name: String, unit: String, bars: [Bar], _ subjects: [Subject]) -> Workload {
    Workload(
      name, unit: unit, sizes: sizes, mainSize: 100_000, quickSize: 1000, bars: bars, subjects: subjects)
  }

  private static var idle: Workload {
    workload(
      "memory-idle-event", unit: "event", bars: [.count(.heapBytesEach, atMost: 48)],
      [
        Subject("SimpleEvents SimpleEvent") { fixture in
          making(fixture) { SimpleEvent() }
        }
      ])
  }

  private static var idleLazy: Workload {
    workload(
      "memory-idle-lazy-event", unit: "event", bars: [.count(.heapBytesEach, atMost: 96)],
      [
        Subject("SimpleEvents LazySimpleEvent") { fixture in
          let queue = fixture.queue()
          return making(fixture) { LazySimpleEvent(on: queue) }
        },
        Subject(Baseline.source) { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          return making(fixture) { Source(queue) { sink.hit() } }
        },
      ])
  }

  private static var token: Workload {
    workload(
      "memory-token", unit: "token", bars: [.count(.heapBytesEach, atMost: 110)],
      [
        Subject("SimpleEvents token") { fixture in
          // All observers share one closure, so that the memory of its captures is not counted.
          let sink = fixture.sink
          let block: @isolated(any) (any SimpleEventObservable) -> Void = { _ in sink.hit() }
          return tokens(fixture) { event in event.addObserver(block) }
        },
        Subject("SimpleEvents token, a closure each") { fixture in
          let sink = fixture.sink
          return tokens(fixture) { event in event.addObserver { _ in sink.hit() } }
        },
        Subject(Baseline.notificationCenter) { fixture in
          let center = NotificationCenter()
          let sink = fixture.sink
          return making(fixture) {
            center.addObserver(forName: Notification.Name("didChange"), object: nil, queue: nil) { _ in
              sink.hit()
            }
          }
        },
      ])
  }

  private static func tokens(
    _ fixture: Fixture, _ observe: @escaping (SimpleEvent) -> (any SimpleEventToken)?
  ) -> Trial {
    // There are many events, because the spare capacity of one list of observers varies from run to run.
    let events = (0..<fixture.n / 100).map { _ in SimpleEvent() }
    var count = 0
    return making(fixture) {
      defer { count += 1 }
      return observe(events[count / 100])
    }
  }

  /// The bytes include the memory that an observer's first weak reference allocates, but not the observer.
  private static var observer: Workload {
    workload(
      "memory-weak-observer", unit: "observer", bars: [],
      [
        Subject("SimpleEvents weak observer") { fixture in
          let event = SimpleEvent()
          let listeners = (0..<fixture.n).map { _ in Listener(fixture.sink) }
          return adding(fixture, listeners) { event.addObserver($0) }
        },
        Subject(Baseline.weakBoxes) { fixture in
          let list = WeakBoxList()
          let listeners = (0..<fixture.n).map { _ in Listener(fixture.sink) }
          return adding(fixture, listeners, list.add)
        },
      ])
  }

  /// A trial that creates as many objects as the fixture's size, and keeps them.
  private static func making<Thing>(_ fixture: Fixture, _ make: @escaping () -> Thing) -> Trial {
    let things = Box<Thing>(capacity: fixture.n)
    fixture.markHeap()
    return Trial(operations: fixture.n, isRepeatable: false, deliveries: nil) {
      for _ in 0..<fixture.n {
        things.items.append(make())
      }
    }
  }

  /// A trial that adds all listeners.
  private static func adding(
    _ fixture: Fixture, _ listeners: [Listener], _ add: @escaping (Listener) -> Void
  ) -> Trial {
    fixture.markHeap()
    return Trial(
      operations: fixture.n, isRepeatable: false, deliveries: nil,
      settle: { withExtendedLifetime(listeners) {} }
    ) {
      listeners.forEach(add)
    }
  }
}
