import SimpleEvents
import SimpleEventsTesting
import TestSupport

extension MisuseScenario {
  func misuseRun() {
    let scheduler = TestScheduler(label: "clock")
    switch self {
    case .nestedRun:
      let reason = try? scheduler.run {
        site(#line + 2)
        do {
          try scheduler.run {}
        } catch let error as TestScheduler.StuckError {
          return Optional(error.reason)
        }
        return nil
      }
      require(reason == .nested)
    default:
      let log = Log()
      site(#line + 1)
      let answer = try? scheduler.run {
        Task(executorPreference: scheduler) {
          await withCheckedContinuation { continuation in
            scheduler.schedule {
              onThreads(1) { _ in continuation.resume() }
            }
          }
          log.add("resumed")
        }
        await Task.yield()
        return 42
      }
      require(answer == 42 && log.entries == [])
      scheduler.advance()
      require(log.entries == ["resumed"])
    }
  }
}
