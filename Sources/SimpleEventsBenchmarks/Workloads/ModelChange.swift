internal import Dispatch
internal import Observation
internal import SimpleEvents

/// All ten properties of a model change, and the observer reads all of them in one notification.
enum ModelChange {
  static var workloads: [Workload] { [modelChange] }

  private static let properties: Int = 10

  private static var modelChange: Workload {
    Workload(
      "model-change", unit: "change", sizes: [1000, 10_000, 100_000], quickSize: 1000,
      baseline: Baseline.tracking, bars: [.ratio(0.2, to: Baseline.tracking)],
      subjects: [
        Subject("SimpleEvents LazySimpleEvent") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let model = EventModel(fixture.scheduler(queue))
          let token = model.didChange.addObserver { [unowned model] _ in sink.take(model.sum) }
          return trial(fixture, queue, model, keeping: token)
        },
        tracking,
        Subject("array of closures, next turn by hand") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let model = HandWrittenModel(queue)
          model.add { [unowned model] in sink.take(model.sum) }
          return trial(fixture, queue, model)
        },
      ])
  }

  static var tracking: Subject {
    Subject(Baseline.tracking) { fixture in
      let queue = fixture.queue()
      let model = ObservedModel()
      queue.sync { track(model, queue, fixture.sink) }
      return trial(fixture, queue, model)
    }
  }

  /// Reads the model, and reads it again on the next turn after each change.
  private static func track(_ model: ObservedModel, _ queue: DispatchQueue, _ sink: Sink) {
    let sum = withObservationTracking {
      model.sum
    } onChange: { [weak model] in
      guard let model else { return }
      queue.async {
        sink.hit()
        track(model, queue, sink)
      }
    }
    sink.swallow(sum)
  }

  /// A trial that changes the properties in rounds. Each round is a block on the queue, behind the
  /// notification of the previous round.
  ///
  /// - Parameter before: The number of deliveries before the first run.
  static func trial(
    _ fixture: Fixture, _ queue: DispatchQueue, _ model: some TenProperties, before: Int = 0,
    keeping: AnyObject? = nil
  ) -> Trial {
    let rounds = fixture.n / properties
    let isOver = DispatchSemaphore(value: 0)
    return Trial(
      operations: fixture.n, deliveries: { runs, _ in before + runs * rounds...before + runs * rounds },
      settle: { withExtendedLifetime(keeping) {} }
    ) {
      @Sendable func round(_ number: Int) {
        queue.async {
          guard number <= rounds else {
            isOver.signal()
            return
          }
          model.change(to: number)
          round(number + 1)
        }
      }
      round(1)
      isOver.wait()
    }
  }
}
