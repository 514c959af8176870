internal import Foundation
internal import SimpleEvents
internal import SimpleObservables

/// Subscriptions and their removal beside many others that stay.
enum SubjectChurn {
  static var workloads: [Workload] { [churn] }

  private static let steps: Int = 1000

  /// Subscribes and releases the token.
  private static var churn: Workload {
    Workload(
      "values-churn", unit: "subscribe and drop", sizes: [10, 1000, 10_000, 100_000], mainSize: 100_000,
      quickSize: 100, baseline: Baseline.notificationCenter, bars: [.growth(2, from: 10)],
      subjects: [
        Subject("SimpleEvents PublishSubject") { stage in
          let subject = PublishSubject<Int>()
          let sink = stage.sink
          let tokens = Holder((0..<stage.n).map { _ in subject.subscribe { sink.take($0) } })
          return trial(stage) {
            _ = subject.subscribe { sink.take($0) }
          } settle: {
            subject.update(1)
            withExtendedLifetime(tokens) {}
          }
        },
        Subject(Baseline.notificationCenter) { stage in
          let center = NotificationCenter()
          let sink = stage.sink
          let add = {
            center.addObserver(forName: name, object: nil, queue: nil) { note in
              sink.take(note.object as? Int ?? 0)
            }
          }
          let tokens = (0..<stage.n).map { _ in add() }
          return trial(stage) {
            center.removeObserver(add())
          } settle: {
            center.post(name: name, object: 1)
            tokens.forEach(center.removeObserver)
          }
        },
        Subject(Baseline.dictionary) { stage in
          let table = ValueTable()
          let sink = stage.sink
          for _ in 0..<stage.n {
            _ = table.add { sink.take($0) }
          }
          return trial(stage) {
            table.remove(table.add { sink.take($0) })
          } settle: {
            table.send(1)
          }
        },
        Subject(Baseline.identified) { stage in
          let list = IdentifiedValueList()
          let sink = stage.sink
          for _ in 0..<stage.n {
            _ = list.add { sink.take($0) }
          }
          return trial(stage) {
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
    _ stage: Stage, _ step: @escaping () -> Void, settle: @escaping () -> Void
  ) -> Trial {
    let crowd = stage.n
    return Trial(operations: steps, deliveries: { _, _ in crowd...crowd }, settle: settle) {
      for _ in 0..<steps {
        step()
      }
    }
  }
}
