import Dispatch
import Synchronization
import Testing

/// Runs the tests of a suite on a few threads that no other tests use.
///
/// A test of the tool blocks its thread while it waits for a process. The concurrency pool has as many
/// threads as there are processors, so a few such tests would stop all others.
struct OwnThreads: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingExecutor.shared, operation: function)
  }
}

extension SuiteTrait where Self == OwnThreads {
  static var onOwnThreads: Self { Self() }
}

/// An executor with threads that its jobs may block.
private final class BlockingExecutor: TaskExecutor {
  static let shared: BlockingExecutor = BlockingExecutor(threads: 4)

  /// The queues. Each has a thread while it has work, even if all threads of the pool are in use.
  private let queues: [DispatchQueue]
  /// The jobs that no queue has taken yet.
  private let jobs: Mutex<[UnownedJob]> = Mutex([])

  private init(threads: Int) {
    queues = (0..<threads).map { DispatchQueue(label: "tests of the tool \($0)") }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    // The first queue that is idle takes the job.
    for queue in queues {
      queue.async { self.runFirst() }
    }
  }

  private func runFirst() {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
