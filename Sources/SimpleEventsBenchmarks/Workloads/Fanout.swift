internal import Foundation
internal import SimpleEvents

/// An event with many observers, or with one observer, is triggered.
enum Fanout {
  static var workloads: [Workload] { [tokens, observers, single] }

  private static var tokens: Workload {
    Workload(
      "fanout-tokens", unit: "observer", sizes: [1000, 10_000, 100_000], quickSize: 100,
      bars: [.ratio(0.3, to: Baseline.closures)],
      subjects: [
        Subject("SimpleEvents SimpleEvent, tokens", prepare: tokens(1)),
        Subject(Baseline.closures, prepare: closures(1)),
        Subject(Baseline.notificationCenter, prepare: notifications(1)),
      ])
  }

  private static var single: Workload {
    Workload(
      "trigger-single", unit: "trigger", sizes: [1], quickSize: 1,
      bars: [.ratio(1.2, to: Baseline.oneClosure)],
      subjects: [
        Subject("SimpleEvents SimpleEvent, one token", prepare: tokens(1000)),
        Subject(Baseline.oneClosure, prepare: closures(1000)),
        Subject(Baseline.notificationCenter, prepare: notifications(1000)),
      ])
  }

  private static var observers: Workload {
    Workload(
      "fanout-observers", unit: "observer", sizes: [1000, 10_000, 100_000], quickSize: 100,
      baseline: Baseline.weakBoxes, bars: [.ratio(0.33, to: Baseline.weakBoxes)],
      subjects: [
        Subject("SimpleEvents SimpleEvent, weak observers") { fixture in
          let event = SimpleEvent()
          let listeners = (0..<fixture.n).map { _ in Listener(fixture.sink) }
          for listener in listeners {
            event.addObserver(listener)
          }
          return trial(fixture, 1, keeping: listeners) {
            event.trigger()
          } settle: {
            for listener in listeners {
              event.removeObserver(listener)
            }
          }
        },
        Subject("SimpleEvents ObserverHub") { fixture in
          let hub = ObserverHub<any ListObserver>()
          let listeners = (0..<fixture.n).map { _ in Listener(fixture.sink) }
          for listener in listeners {
            hub.add(listener)
          }
          return trial(fixture, 1, keeping: listeners) {
            hub.forEach { $0.listDidChange(hub) }
          } settle: {
            for listener in listeners {
              hub.remove(listener)
            }
          }
        },
        Subject(Baseline.weakBoxes) { fixture in
          let list = WeakBoxList()
          let listeners = (0..<fixture.n).map { _ in Listener(fixture.sink) }
          listeners.forEach(list.add)
          return trial(fixture, 1, keeping: listeners) { list.notify() }
        },
        Subject(Baseline.weakReferences) { fixture in
          let list = WeakReferenceList()
          let listeners = (0..<fixture.n).map { _ in Listener(fixture.sink) }
          listeners.forEach(list.add)
          return trial(fixture, 1, keeping: listeners) { list.notify() }
        },
      ])
  }

  /// A trial that triggers a number of times in each run. Each trigger calls all observers.
  private static func trial(
    _ fixture: Fixture, _ triggers: Int, keeping: [AnyObject], _ trigger: @escaping () -> Void,
    settle: @escaping () -> Void = {}
  ) -> Trial {
    let calls = triggers * fixture.n
    let holder = Box(keeping)
    return Trial(
      operations: calls, deliveries: { runs, _ in runs * calls...runs * calls },
      settle: {
        settle()
        withExtendedLifetime(holder) {}
      }
    ) {
      for _ in 0..<triggers {
        trigger()
      }
    }
  }

  private static func tokens(_ triggers: Int) -> (Fixture) -> Trial {
    { fixture in
      let event = SimpleEvent()
      let counts = CallCounts(fixture.n)
      let tokens = (0..<fixture.n).compactMap { index in
        let word = counts[index]
        return event.addObserver { _ in word.hit() }
      }
      return trial(fixture, triggers, keeping: tokens) {
        event.trigger()
      } settle: {
        fixture.sink.add(counts.sum)
      }
    }
  }

  private static func closures(_ triggers: Int) -> (Fixture) -> Trial {
    { fixture in
      let list = ClosureList()
      let counts = CallCounts(fixture.n)
      for index in 0..<fixture.n {
        let word = counts[index]
        list.add { word.hit() }
      }
      return trial(fixture, triggers, keeping: []) {
        list.notify()
      } settle: {
        fixture.sink.add(counts.sum)
      }
    }
  }

  private static func notifications(_ triggers: Int) -> (Fixture) -> Trial {
    { fixture in
      let center = NotificationCenter()
      let name = Notification.Name("didChange")
      let counts = CallCounts(fixture.n)
      let tokens = (0..<fixture.n).map { index in
        let word = counts[index]
        return center.addObserver(forName: name, object: nil, queue: nil) { _ in word.hit() }
      }
      return trial(fixture, triggers, keeping: tokens) {
        center.post(name: name, object: nil)
      } settle: {
        fixture.sink.add(counts.sum)
        tokens.forEach(center.removeObserver)
      }
    }
  }
}
