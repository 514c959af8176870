internal import Dispatch

/// An actor on an executor that a test chooses.
package actor ActorOnExecutor {
  private let executor: any SerialExecutor

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init(_ executor: any SerialExecutor) { self.executor = executor }

  package func run(_ body: @Sendable () -> Void) { body() }
}

/// A serial executor on a queue that does not know whether the caller is on it.
package final class MuteExecutor: SerialExecutor {
  private let queue: DispatchQueue = DispatchQueue(label: "mute")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// A serial executor on a queue that knows whether the caller is on it.
package final class KnowingExecutor: SerialExecutor {
  private let queue: DispatchQueue = DispatchQueue(label: "knowing")
  private let key: DispatchSpecificKey<Bool> = DispatchSpecificKey()

  package init() { queue.setSpecific(key: key, value: true) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: key) != nil }
}
