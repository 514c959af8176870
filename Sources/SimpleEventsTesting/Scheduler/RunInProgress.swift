internal import Dispatch
internal import SimpleEvents

/// The properties of one run of a body.
struct RunInProgress: Sendable {
  /// The treatment of external jobs, with its data.
  enum External: Sendable {
    case setAside
    /// The driver waits at the semaphore. Another thread signals the semaphore for each entry that it adds.
    case awaited(upTo: DispatchTimeInterval, DispatchSemaphore)
  }

  let site: CallSite
  let external: External

  init(_ externalJobs: TestScheduler.ExternalJobs, site: CallSite) {
    self.site = site
    switch externalJobs {
    case .flagged: external = .setAside
    case .awaited(let timeout):
      let nanoseconds = EventInstant(nanoseconds: 0).advanced(by: timeout).nanoseconds
      external = .awaited(upTo: .nanoseconds(Int(nanoseconds)), DispatchSemaphore(value: 0))
    }
  }

  var setsExternalJobsAside: Bool { if case .setAside = external { true } else { false } }
}
