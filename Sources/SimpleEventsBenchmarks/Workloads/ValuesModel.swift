internal import Dispatch
internal import SimpleEvents
internal import SimpleObservables

/// All ten variables of a model change, and the observer reads all of them in one notification.
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
          // The subscription is made on the queue, so that the first values give one notification.
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
