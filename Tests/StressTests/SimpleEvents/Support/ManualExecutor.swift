import SimpleEvents

/// A serial executor that runs its jobs when a test asks for them, on the thread of the test.
final class ManualExecutor: SerialExecutor {
  /// Guards the queued jobs.
  private let jobs: Guarded<[UnownedJob]> = Guarded([])

  /// The number of queued jobs.
  var count: Int { jobs.withLock { $0.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
