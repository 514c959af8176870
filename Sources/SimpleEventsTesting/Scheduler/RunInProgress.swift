internal import Dispatch
internal import SimpleEvents

/// The properties of one run of a body.
struct RunInProgress: Sendable {
  let site: CallSite
  /// How long other threads must be silent; nil if their jobs are set aside.
  let patience: DispatchTimeInterval?
  /// Signalled when another thread has added an entry; nil if their jobs are set aside.
  let arrival: DispatchSemaphore?

  init(_ outside: OutsideJobs, site: CallSite) {
    self.site = site
    switch outside {
    case .forbidden:
      patience = nil
      arrival = nil
    case .awaited(let duration):
      patience = .nanoseconds(Int(EventInstant(nanoseconds: 0).advanced(by: duration).nanoseconds))
      arrival = DispatchSemaphore(value: 0)
    }
  }

  var isForbidden: Bool { arrival == nil }
}
