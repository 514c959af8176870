internal import Dispatch
internal import SimpleEvents
internal import SimpleObservables

/// A model of ten variables that all change, and one notification, in which the observer reads them all.
enum ValuesModel {
  static var workloads: [Workload] { [modelChange] }

  private static var modelChange: Workload {
    Workload(
      "values-model-change", unit: "change", sizes: [1000, 10_000, 100_000], quickSize: 1000,
      baseline: Baseline.tracking, bars: [.ratio(0.35, to: Baseline.tracking)],
      subjects: [
        Subject("SimpleEvents merge, coalesced") { fixture in
          let queue = fixture.queue()
          let sink = fixture.sink
          let model = VariableModel()
          let scheduler: any EventScheduler = fixture.scheduler(queue)
          // On the queue, so that the first values make one notification.
          let token = queue.sync {
            model.changes.coalesced(on: scheduler, policy: .nextTurn)
              .subscribe { [unowned model] _ in sink.take(model.sum) }
          }
          return ModelChange.trial(fixture, queue, model, before: 1, keeping: token)
        },
        ModelChange.tracking,
      ])
  }
}
