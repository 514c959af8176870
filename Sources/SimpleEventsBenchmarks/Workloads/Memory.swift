internal import Dispatch
internal import Foundation
internal import SimpleEvents

/// The heap bytes of one object of each kind. The times are those of construction.
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
        Subject("SimpleEvents SimpleEvent") { stage in
          making(stage) { SimpleEvent() }
        }
      ])
  }

  private static var idleLazy: Workload {
    workload(
      "memory-idle-lazy-event", unit: "event", bars: [.count(.heapBytesEach, atMost: 96)],
      [
        Subject("SimpleEvents LazySimpleEvent") { stage in
          let queue = stage.queue()
          return making(stage) { LazySimpleEvent(on: queue) }
        },
        Subject(Baseline.source) { stage in
          let queue = stage.queue()
          let sink = stage.sink
          return making(stage) { Source(queue) { sink.hit() } }
        },
      ])
  }

  private static var token: Workload {
    workload(
      "memory-token", unit: "token", bars: [.count(.heapBytesEach, atMost: 110)],
      [
        Subject("SimpleEvents token") { stage in
          // One closure for all: the context of a closure is its user's.
          let sink = stage.sink
          let block: @isolated(any) (any SimpleEventObservable) -> Void = { _ in sink.hit() }
          return tokens(stage) { event in event.addObserver(block) }
        },
        Subject("SimpleEvents token, a closure each") { stage in
          let sink = stage.sink
          return tokens(stage) { event in event.addObserver { _ in sink.hit() } }
        },
        Subject(Baseline.notificationCenter) { stage in
          let center = NotificationCenter()
          let sink = stage.sink
          return making(stage) {
            center.addObserver(forName: Notification.Name("didChange"), object: nil, queue: nil) { _ in
              sink.hit()
            }
          }
        },
      ])
  }

  private static func tokens(
    _ stage: Stage, _ observe: @escaping (SimpleEvent) -> (any SimpleEventToken)?
  ) -> Trial {
    // Many lists, since the spare capacity of a single one varies from run to run.
    let events = (0..<stage.n / 100).map { _ in SimpleEvent() }
    var count = 0
    return making(stage) {
      defer { count += 1 }
      return observe(events[count / 100])
    }
  }

  /// The bytes include those that an observer's first weak reference allocates, but not the observer.
  private static var observer: Workload {
    workload(
      "memory-weak-observer", unit: "observer", bars: [],
      [
        Subject("SimpleEvents weak observer") { stage in
          let event = SimpleEvent()
          let listeners = (0..<stage.n).map { _ in Listener(stage.sink) }
          return adding(stage, listeners) { event.addObserver($0) }
        },
        Subject(Baseline.weakBoxes) { stage in
          let list = WeakBoxList()
          let listeners = (0..<stage.n).map { _ in Listener(stage.sink) }
          return adding(stage, listeners, list.add)
        },
      ])
  }

  /// A trial that makes and keeps as many objects as the stage's size.
  private static func making<Thing>(_ stage: Stage, _ make: @escaping () -> Thing) -> Trial {
    let things = Holder<Thing>(capacity: stage.n)
    stage.markHeap()
    return Trial(operations: stage.n, isRepeatable: false, deliveries: nil) {
      for _ in 0..<stage.n {
        things.items.append(make())
      }
    }
  }

  /// A trial that adds all listeners.
  private static func adding(
    _ stage: Stage, _ listeners: [Listener], _ add: @escaping (Listener) -> Void
  ) -> Trial {
    stage.markHeap()
    return Trial(
      operations: stage.n, isRepeatable: false, deliveries: nil,
      settle: { withExtendedLifetime(listeners) {} }
    ) {
      listeners.forEach(add)
    }
  }
}
