internal import Foundation
internal import SimpleEvents
internal import TestSupport

/// Observers are added and removed beside many others that stay.
enum Churn {
  static var workloads: [Workload] { [same, random] }

  private static let sizes: [Int] = [10, 1000, 10_000, 100_000]
  private static let steps: Int = 1000

  /// An observer is added and removed again.
  private static var same: Workload {
    Workload(
      "churn", unit: "add and remove", sizes: sizes, mainSize: 100_000, quickSize: 100,
      baseline: Baseline.notificationCenter,
      bars: [
        .growth(2, from: 10), .ratio(0.5, to: Baseline.notificationCenter),
        .ratio(2, to: Baseline.lockedDictionary, at: 10_000),
      ],
      subjects: [
        Subject("SimpleEvents token") { fixture in
          let (event, tokens) = crowd(fixture)
          let sink = fixture.sink
          return trial(tokens) { _ in
            event.addObserver { _ in sink.hit() }?.remove()
          }
        },
        Subject("SimpleEvents weak observer") { fixture in
          let event = SimpleEvent()
          let listeners = Box((0..<fixture.n).map { _ in Listener(fixture.sink) })
          listeners.items.forEach { event.addObserver($0) }
          let listener = Listener(fixture.sink)
          return trial(listeners) { _ in
            event.addObserver(listener)
            event.removeObserver(listener)
          } settle: {
            listeners.items.forEach { event.removeObserver($0) }
          }
        },
        Subject(Baseline.notificationCenter) { fixture in
          let (center, tokens) = notificationCrowd(fixture)
          let sink = fixture.sink
          return trial(tokens) { _ in
            center.removeObserver(
              center.addObserver(forName: name, object: nil, queue: nil) { _ in sink.hit() })
          } settle: {
            tokens.items.forEach(center.removeObserver)
          }
        },
        Subject(Baseline.lockedDictionary) { fixture in
          let (table, ids) = table(fixture)
          let sink = fixture.sink
          return trial(ids) { _ in
            table.remove(table.add { sink.hit() })
          }
        },
      ])
  }

  /// A random observer is removed and a new observer is added.
  ///
  /// Random removal favours no order of the observers. With many observers, random removal also misses the
  /// processor's caches.
  private static var random: Workload {
    Workload(
      "churn-random", unit: "add and remove", sizes: sizes, mainSize: 100_000, quickSize: 100,
      baseline: Baseline.notificationCenter,
      bars: [
        .growth(2, from: 10), .ratio(0.5, to: Baseline.notificationCenter),
        .ratio(1.5, to: Baseline.lockedDictionary, at: 10_000),
      ],
      subjects: [
        Subject("SimpleEvents token, random removal") { fixture in
          let (event, tokens) = crowd(fixture)
          let sink = fixture.sink
          return trial(tokens) { index in
            tokens.items[index] = event.addObserver { _ in sink.hit() }
          }
        },
        Subject("SimpleEvents weak observer, random removal") { fixture in
          let event = SimpleEvent()
          let listeners = Box((0..<fixture.n).map { _ in Listener(fixture.sink) })
          listeners.items.forEach { event.addObserver($0) }
          return trial(listeners) { index in
            event.removeObserver(listeners.items[index])
            listeners.items[index] = Listener(fixture.sink)
            event.addObserver(listeners.items[index])
          } settle: {
            listeners.items.forEach { event.removeObserver($0) }
          }
        },
        Subject(Baseline.notificationCenter) { fixture in
          let (center, tokens) = notificationCrowd(fixture)
          let sink = fixture.sink
          return trial(tokens) { index in
            center.removeObserver(tokens.items[index])
            tokens.items[index] = center.addObserver(forName: name, object: nil, queue: nil) { _ in sink.hit()
            }
          } settle: {
            tokens.items.forEach(center.removeObserver)
          }
        },
        Subject(Baseline.lockedDictionary) { fixture in
          let (table, ids) = table(fixture)
          let sink = fixture.sink
          return trial(ids) { index in
            table.remove(ids.items[index])
            ids.items[index] = table.add { sink.hit() }
          }
        },
      ])
  }

  private static let name: Notification.Name = Notification.Name("didChange")

  private static func crowd(_ fixture: Fixture) -> (SimpleEvent, Box<(any SimpleEventToken)?>) {
    let event = SimpleEvent()
    let sink = fixture.sink
    return (event, Box((0..<fixture.n).map { _ in event.addObserver { _ in sink.hit() } }))
  }

  private static func notificationCrowd(
    _ fixture: Fixture
  ) -> (NotificationCenter, Box<any NSObjectProtocol>) {
    let center = NotificationCenter()
    let sink = fixture.sink
    let tokens = (0..<fixture.n).map { _ in
      center.addObserver(forName: name, object: nil, queue: nil) { _ in sink.hit() }
    }
    return (center, Box(tokens))
  }

  private static func table(_ fixture: Fixture) -> (LockedClosureTable, Box<Int>) {
    let table = LockedClosureTable()
    let sink = fixture.sink
    return (table, Box((0..<fixture.n).map { _ in table.add { sink.hit() } }))
  }

  /// - Parameters:
  ///   - crowd: The observers that stay, or their tokens.
  ///   - step: One operation, given a random index into the crowd.
  private static func trial<Element>(
    _ crowd: Box<Element>, _ step: @escaping (Int) -> Void, settle: @escaping () -> Void = {}
  ) -> Trial {
    var random = SeededGenerator(seed: 7)
    let indices = (0..<steps).map { _ in crowd.items.indices.randomElement(using: &random) ?? 0 }
    return Trial(
      operations: steps, deliveries: nil,
      settle: {
        settle()
        withExtendedLifetime(crowd) {}
      }
    ) {
      for index in indices {
        step(index)
      }
    }
  }
}
