internal import Dispatch
internal import Foundation
internal import SimpleEvents

/// An event is created with one observer, and both are released.
enum Construct {
  static var workloads: [Workload] { [construct] }

  private static var construct: Workload {
    Workload(
      "construct", unit: "event and observer", sizes: [1000, 10_000], quickSize: 1000,
      baseline: Baseline.tokens, bars: [.ratio(1.2, to: Baseline.tokens)],
      subjects: [
        Subject("SimpleEvents SimpleEvent") { fixture in
          let sink = fixture.sink
          return trial(fixture) {
            let event = SimpleEvent()
            return (event.addObserver { _ in sink.hit() }, event)
          }
        },
        Subject(Baseline.tokens) { fixture in
          let sink = fixture.sink
          return trial(fixture) {
            let list = TokenList()
            return (list.add { _ in sink.hit() }, list)
          }
        },
        Subject("SimpleEvents LazySimpleEvent") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          return trial(fixture) {
            let event = LazySimpleEvent(on: queue)
            return (event.addObserver { _ in sink.hit() }, event)
          }
        },
        Subject(Baseline.notificationCenter) { fixture in
          let name = Notification.Name("didChange")
          let sink = fixture.sink
          return trial(fixture, removing: { $1.removeObserver($0) }) {
            let center = NotificationCenter()
            return (center.addObserver(forName: name, object: nil, queue: nil) { _ in sink.hit() }, center)
          }
        },
      ])
  }

  /// A trial that creates as many sources as the fixture's size. It then removes their observers and releases
  /// all sources.
  ///
  /// - Parameters:
  ///   - remove: Removes the observer; nil if the release of the token removes the observer. The token is
  ///     released before the source.
  ///   - make: Creates a source and the token of its observer.
  static func trial<Token, Source>(
    _ fixture: Fixture, removing remove: ((Token, Source) -> Void)? = nil,
    _ make: @escaping () -> (Token, Source)
  ) -> Trial {
    let made = Box<(Token, Source)>(capacity: fixture.n)
    return Trial(operations: fixture.n, deliveries: nil) {
      for _ in 0..<fixture.n {
        made.items.append(make())
      }
      if let remove { made.items.forEach(remove) }
      made.items.removeAll(keepingCapacity: true)
    }
  }
}
