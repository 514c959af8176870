import Foundation

/// A misuse that happens in a separate process, with the default handler.
///
/// In a debug build the misuse stops the process. In a release build the process continues, and checks the
/// state that the contract promises after the misuse.
enum MisuseScenario: String, CaseIterable, Codable, Sendable {
  case addedTwice
  case addedTwiceThroughExistential
  case notAnObject
  case notInstalled
  case removedTwiceFromEvent
  case neverRemoved
  case neverRemovedFromQueue
  case nestedCycle
  case nestedTriggerWithToken
  case nestedTriggerWithDelegate
  case nestedTriggerOnQueue
  case wrongIsolation
  case wrongIsolationThroughExistential
  case wrongIsolationOfClassicType
  case wrongIsolationOfCallback
  case wrongIsolationOfGroup
  case wrongIsolationOfCollector
  case flushedOffScheduler
  case groupFlushedElsewhere
  case notANumber
  case noEdges
  case limitBelowOne
  case batchSizeBelowOne
  case batchSizeWhileCombining
  case rateOutOfRange
  case settledInsideRun
  case stoppedInsideRun
  case secondHost
  case retryIsNotANumber
  case retriesWithoutWait
  case batchLimitBelowOne
  case batchFinishedInsideRun
  case batchSecondHost
  case batchMainActorBlocked
  case nestedAdvance
  case sharedIterator
  case nestedRun
  case advanceLimitReached
  case feedback
  case addedWhileCombining
  case mainActorBlocked
  case externalJob
  case bootstrappedTwice
  case bootstrappedLate

  /// The texts that the message contains in addition to the call site.
  var parts: [String] {
    switch self {
    case .addedTwice: ["\"model\"", "Listener", "again", "remove it first"]
    case .addedTwiceThroughExistential: ["SimpleEvent", "Listener", "again", "remove it first"]
    case .notAnObject: ["\"model\"", "ValueListener", "make the type a class"]
    case .notInstalled: ["ObserverHub<", "Listener", "not installed", "exactly once"]
    case .removedTwiceFromEvent: ["LazySimpleEvent", "Listener", "not installed", "exactly once"]
    case .neverRemoved: ["\"model\"", "Listener", "without having been removed", "token"]
    case .neverRemovedFromQueue: ["\"queued\"", "Listener", "without having been removed", "token"]
    case .nestedCycle: ["\"model\"", "Listener", "inside another one", "LazySimpleEvent"]
    case .nestedTriggerWithToken: ["\"changes\"", "a block", "inside another one", "coalesced"]
    case .nestedTriggerWithDelegate: ["SimpleEvent", "Listener", "inside another one", "coalesced"]
    case .nestedTriggerOnQueue: ["\"queued\"", "a block", "inside another one", "coalesced"]
    case .wrongIsolation: ["\"queued\"", "MainActor", ".main for the main actor", "@Sendable"]
    case .wrongIsolationThroughExistential:
      ["SimpleEventProxy", "MainActor", ".main for the main actor", "@Sendable"]
    case .wrongIsolationOfClassicType:
      ["ClassicObservable", "MainActor", ".main for the main actor", "@Sendable"]
    case .wrongIsolationOfCallback:
      ["CoalescingCallback", "MainActor", ".main for the main actor", "@Sendable"]
    case .wrongIsolationOfGroup:
      ["SimpleEventGroupObserver", "MainActor", ".main for the main actor", "@Sendable"]
    case .wrongIsolationOfCollector:
      ["CoalescingCollector", "MainActor", ".main for the main actor", "@Sendable"]
    case .flushedOffScheduler: ["CoalescingCallback", "off its scheduler", "queue.sync"]
    case .groupFlushedElsewhere: ["\"refresh\"", "off its scheduler", "queue.sync"]
    case .notANumber: ["debounceTimeout", "not a number", "seconds"]
    case .noEdges: ["neither a leading nor a trailing edge", "at least one edge"]
    case .limitBelowOne: ["\"lines\"", "limit", "0", "one or more"]
    case .batchSizeBelowOne: ["\"lines\"", "batch size", "0", "one or more"]
    case .batchSizeWhileCombining: ["\"sum\"", "combines its elements", "Leave the batch size out"]
    case .rateOutOfRange: ["RateLimiter \"api\"", "burst", "is 0", "one or more"]
    case .settledInsideRun:
      ["\"index\"", "settle()", "the end of that run", "Task.detached { await loop.settle() }"]
    case .stoppedInsideRun:
      ["\"index\"", "stop()", "the end of that run", "Task.detached { await loop.stop() }"]
    case .secondHost: ["\"index\"", "another task hosts", "one task at a time"]
    case .retryIsNotANumber: ["\"index\"", "factor", "not a number"]
    case .retriesWithoutWait: ["\"index\"", "failed 10000 times", "without a wait", "ends the retries"]
    case .batchLimitBelowOne: ["BatchLoop<Int> \"lines\"", "limit", "0", "one or more"]
    case .batchFinishedInsideRun:
      ["BatchLoop<Int> \"lines\"", "the end of that run", "Task.detached { await loop.finish() }"]
    case .batchSecondHost: ["BatchLoop<Int> \"lines\"", "another task hosts", "one task at a time"]
    case .batchMainActorBlocked:
      ["onError of BatchLoop<Int> \"lines\"", "belongs to the main actor", "runOnMain"]
    case .nestedAdvance: ["TestScheduler \"virtual\"", "inside work", "schedule more work"]
    case .sharedIterator: ["\"shared\"", "Two tasks", "one iterator", "for each task"]
    case .nestedRun: ["\"clock\"", "inside work that it runs", "outer one", "throws StuckError"]
    case .advanceLimitReached:
      ["LazySimpleEvent \"echo\"", "1000 entries", "0.0 seconds", "while something has changed"]
    case .feedback: ["LazySimpleEvent \"echo\"", "10000 times", "own delivery", "more to do"]
    case .addedWhileCombining: ["\"sum\"", "combines", "added an element", "outside the function"]
    case .mainActorBlocked: ["RefreshLoop \"view\"", "belongs to the main actor", "runOnMain"]
    case .externalJob:
      [
        "\"clock\"", "A job of a task", "from another thread", "scheduler and its clock",
        "externalJobs: .awaited",
      ]
    case .bootstrappedTwice: ["monitor is installed already", "once", "MultiplexCoalescingMonitor"]
    case .bootstrappedLate:
      [
        "before the monitor was installed", "does not see it: LazySimpleEvent \"unseen\", created at",
        "start of the program",
        "in the argument",
      ]
    }
  }

  func run() {
    switch self {
    case .addedTwice, .notAnObject, .notInstalled, .neverRemoved, .nestedCycle: misuseHub()
    case .wrongIsolation, .wrongIsolationThroughExistential, .wrongIsolationOfClassicType,
      .wrongIsolationOfCallback, .wrongIsolationOfGroup, .wrongIsolationOfCollector:
      misuseIsolation()
    case .flushedOffScheduler, .groupFlushedElsewhere, .notANumber, .noEdges, .limitBelowOne, .nestedAdvance,
      .advanceLimitReached, .feedback, .addedWhileCombining:
      misuseTime()
    case .batchSizeBelowOne, .batchSizeWhileCombining, .rateOutOfRange: misuseSize()
    case .mainActorBlocked: misuseMainActor()
    case .settledInsideRun, .stoppedInsideRun: misuseLoop()
    case .secondHost: misuseHost()
    case .retryIsNotANumber, .retriesWithoutWait: misuseRetry()
    case .batchLimitBelowOne, .batchFinishedInsideRun, .batchSecondHost, .batchMainActorBlocked:
      misuseBatch()
    case .sharedIterator: misuseNotifications()
    case .nestedRun, .externalJob: misuseRun()
    case .bootstrappedTwice, .bootstrappedLate: misuseMonitor()
    default: misuseEvent()
    }
  }

  /// Writes the line that the message must name to standard error, from which the parent process reads it.
  func site(_ line: Int, fileID: String = #fileID) {
    FileHandle.standardError.write(Data("site \(fileID):\(line)\n".utf8))
  }

  /// Stops the process if a promise for release builds does not hold.
  func require(_ condition: Bool, line: Int = #line) {
    guard condition else { fatalError("the state after the misuse is wrong, at line \(line)") }
  }
}
