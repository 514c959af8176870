internal import Dispatch
internal import Foundation
internal import SimpleEvents

/// Construction of an event with one observer, and release of both.
enum Construct {
  static var workloads: [Workload] { [construct] }

  private static var construct: Workload {
    Workload(
      "construct", unit: "event and observer", sizes: [1000, 10_000], quickSize: 1000,
      baseline: Baseline.tokens, bars: [.ratio(2, to: Baseline.tokens)],
      subjects: [
        Subject("SimpleEvents SimpleEvent") { stage in
          let sink = stage.sink
          return trial(stage) {
            let event = SimpleEvent()
            return (event.addObserver { _ in sink.hit() }, event)
          }
        },
        Subject(Baseline.tokens) { stage in
          let sink = stage.sink
          return trial(stage) {
            let list = TokenList()
            return (list.add { sink.hit() }, list)
          }
        },
        Subject("SimpleEvents LazySimpleEvent") { stage in
          let queue = stage.queue()
          let sink = stage.sink
          return trial(stage) {
            let event = LazySimpleEvent(on: queue)
            return (event.addObserver { _ in sink.hit() }, event)
          }
        },
        Subject(Baseline.notificationCenter) { stage in
          let name = Notification.Name("didChange")
          let sink = stage.sink
          return trial(stage, removing: { $1.removeObserver($0) }) {
            let center = NotificationCenter()
            return (center.addObserver(forName: name, object: nil, queue: nil) { _ in sink.hit() }, center)
          }
        },
      ])
  }

  /// A trial that makes as many sources as the stage's size, and then removes their observers and releases them all.
  ///
  /// - Parameters:
  ///   - remove: Removes the observer. Nil where the token does that when it is released, which is first.
  ///   - make: Makes a token and its source.
  static func trial<Token, Source>(
    _ stage: Stage, removing remove: ((Token, Source) -> Void)? = nil,
    _ make: @escaping () -> (Token, Source)
  ) -> Trial {
    let made = Holder<(Token, Source)>(capacity: stage.n)
    return Trial(operations: stage.n, deliveries: nil) {
      for _ in 0..<stage.n {
        made.items.append(make())
      }
      if let remove { made.items.forEach(remove) }
      made.items.removeAll(keepingCapacity: true)
    }
  }
}
