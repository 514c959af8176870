internal import Dispatch
internal import Foundation
internal import SimpleEvents

/// What things weigh. The times are those of making them, up to the first delivery where there is one.
enum Memory {
  static var workloads: [Workload] { [idle, triggered, token, observer] }

  private static let sizes: [Int] = [1000, 10_000]

  private static func workload(_ name: String, unit: String, bars: [Bar], _ subjects: [Subject]) -> Workload {
    Workload(
      name, unit: unit, sizes: sizes, mainSize: 10_000, quickSize: 1000, bars: bars, subjects: subjects)
  }

  private static var idle: Workload {
    workload(
      "memory-idle-event", unit: "event", bars: [.count(.heapBytesEach, atMost: 120)],
      [
        Subject("SimpleEvents LazySimpleEvent") { stage in
          let queue = stage.queue()
          return making(stage) { LazySimpleEvent(on: queue) }
        },
        Subject("DispatchSource") { stage in
          let queue = stage.queue()
          let sink = stage.sink
          return making(stage) { Source(queue) { sink.hit() } }
        },
        Subject("SimpleEvents SimpleEvent") { stage in
          making(stage) { SimpleEvent() }
        },
      ])
  }

  /// With one observer, by token, and one delivery behind it.
  private static var triggered: Workload {
    workload(
      "memory-triggered-event", unit: "event", bars: [.count(.heapBytesEach, atMost: 400)],
      [
        Subject("SimpleEvents LazySimpleEvent, one token") { stage in
          let queue = stage.queue()
          let sink = stage.sink
          return making(stage, delivering: true, on: queue) {
            let event = LazySimpleEvent(on: queue)
            let token = event.addObserver { _ in sink.hit() }
            event.trigger()
            return (event, token)
          }
        },
        Subject("DispatchSource") { stage in
          let queue = stage.queue()
          let sink = stage.sink
          return making(stage, delivering: true, on: queue) {
            let source = Source(queue) { sink.hit() }
            source.trigger()
            return source
          }
        },
      ])
  }

  private static var token: Workload {
    workload(
      "memory-token", unit: "token", bars: [.count(.heapBytesEach, atMost: 200)],
      [
        Subject("SimpleEvents token") { stage in
          let event = SimpleEvent()
          let sink = stage.sink
          return making(stage) { event.addObserver { _ in sink.hit() } }
        },
        Subject("NotificationCenter") { stage in
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

  /// The observer itself is not weighed, save for what its first weak reference makes.
  private static var observer: Workload {
    workload(
      "memory-weak-observer", unit: "observer", bars: [],
      [
        Subject("SimpleEvents weak observer") { stage in
          let event = SimpleEvent()
          let listeners = (0..<stage.n).map { _ in Listener(stage.sink) }
          return adding(stage, listeners) {
            event.addObserver($0)
          } settle: {
            listeners.forEach { event.removeObserver($0) }
          }
        },
        Subject(Baseline.weakBoxes) { stage in
          let list = WeakBoxList()
          let listeners = (0..<stage.n).map { _ in Listener(stage.sink) }
          return adding(stage, listeners, list.add)
        },
      ])
  }

  /// A trial that makes as many things as the stage is large, and keeps them.
  private static func making<Thing>(
    _ stage: Stage, delivering: Bool = false, on queue: DispatchQueue? = nil,
    _ make: @escaping () -> Thing
  ) -> Trial {
    let things = Holder<Thing>(capacity: stage.n)
    if delivering {
      stage.sink.target = stage.n
    }
    stage.markHeap()
    return Trial(
      operations: stage.n, isRepeatable: false, deliveries: delivering ? { _, _ in stage.n...stage.n } : nil,
      settle: { queue?.sync {} }
    ) {
      for _ in 0..<stage.n {
        things.items.append(make())
      }
      if delivering {
        stage.sink.wait()
      }
    }
  }

  private static func adding(
    _ stage: Stage, _ listeners: [Listener], _ add: @escaping (Listener) -> Void,
    settle: @escaping () -> Void = {}
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
