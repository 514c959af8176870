internal import Foundation
internal import SimpleEvents
internal import SimpleObservables

/// Subscriptions are made and removed beside many others that stay.
enum SubjectChurn {
  static var workloads: [Workload] { [churn] }

  private static let steps: Int = 1000

  /// Subscribes, and releases the token.
  private static var churn: Workload {
    Workload(
      "values-churn", unit: "subscribe and drop", sizes: [10, 1000, 10_000, 100_000], mainSize: 100_000,
      quickSize: 100, baseline: Baseline.notificationCenter, bars: [.growth(2, from: 10)],
      subjects: [
        Subject("SimpleEvents PublishSubject") { fixture in
          let subject = PublishSubject<Int>()
          let sink = fixture.sink
          let tokens = Box((0..<fixture.n).map { _ in subject.subscribe { sink.take($0) } })
          return trial(fixture) {
            _ = subject.subscribe { sink.take($0) }
          } settle: {
            subject.update(1)
            withExtendedLifetime(tokens) {}
          }
        },
        Subject(Baseline.notificationCenter) { fixture in
          let center = NotificationCenter()
          let sink = fixture.sink
          let add = {
            center.addObserver(forName: name, object: nil, queue: nil) { note in
              sink.take(note.object as? Int ?? 0)
            }
          }
          let tokens = (0..<fixture.n).map { _ in add() }
          return trial(fixture) {
            center.removeObserver(add())
          } settle: {
            center.post(name: name, object: 1)
            tokens.forEach(center.removeObserver)
          }
        },
        Subject(Baseline.dictionary) { fixture in
          let table = ValueTable()
          let sink = fixture.sink
          for _ in 0..<fixture.n {
            _ = table.add { sink.take($0) }
          }
          return trial(fixture) {
            table.remove(table.add { sink.take($0) })
          } settle: {
            table.send(1)
          }
        },
        Subject(Baseline.identified) { fixture in
          let list = IdentifiedValueList()
          let sink = fixture.sink
          for _ in 0..<fixture.n {
            _ = list.add { sink.take($0) }
          }
          return trial(fixture) {
            list.remove(list.add { sink.take($0) })
          } settle: {
            list.send(1)
          }
        },
      ])
  }

  private static let name: Notification.Name = Notification.Name("didChange")

  /// - Parameters:
  ///   - step: Adds a subscriber and removes it again.
  ///   - settle: Sends one value, which must reach exactly the subscribers that stay.
  private static func trial(
    _ fixture: Fixture, _ step: @escaping () -> Void, settle: @escaping () -> Void
  ) -> Trial {
    let crowd = fixture.n
    return Trial(operations: steps, deliveries: { _, _ in crowd...crowd }, settle: settle) {
      for _ in 0..<steps {
        step()
      }
    }
  }
}
