import SimpleEvents

/// A serial executor whose jobs run when a test says so, on the thread of the test.
final class ManualExecutor: SerialExecutor {
  /// Guards the jobs that wait.
  private let jobs: Guarded<[UnownedJob]> = Guarded([])

  /// The number of jobs that wait.
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
