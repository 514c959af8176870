extension SimpleEventGroupObserver {
  /// The three policies of MMMObservables, with their names and their timing.
  ///
  /// The names differ from the terms that other libraries and ``CoalescingPolicy`` use.
  public enum DebouncePolicy: Sendable {
    /// Trailing debounce: delivers when no event has fired for the timeout.
    ///
    /// The same as `.debounce(timeout)`. A storm of events postpones the delivery forever. A
    /// ``CoalescingPolicy`` with `maxWait` limits the delay.
    case `default`
    /// Leading debounce: delivers the first event of a burst.
    ///
    /// The same as `.debounce(timeout, edges: .leading)`. Every event starts the timeout again, so a storm is
    /// delivered once.
    case debounceLeading
    /// Audit: delivers when the timeout has passed since the first event, however many events follow.
    ///
    /// The same as `.audit(timeout)`. In other libraries, `.throttle` is a policy that delivers the first
    /// event immediately.
    case throttle

    /// - Parameters:
    ///   - timeout: The timeout in seconds.
    ///   - subject: The subject of diagnostics: the observer.
    package func policy(timeout: Double, _ subject: DiagnosticSubject) -> CoalescingPolicy {
      if timeout.isNaN { subject.misuse.flag(.notANumber(subject)) }
      let interval = Duration(saturatingSeconds: timeout)
      return switch self {
      case .default: .debounce(interval)
      case .debounceLeading: .debounce(interval, edges: .leading)
      case .throttle: .audit(interval)
      }
    }
  }
}

extension Duration {
  /// Creates a duration from seconds. A value that is not a number gives zero, and a value that is too large
  /// gives the largest interval of a policy (C8).
  fileprivate init(saturatingSeconds seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded(.up)
    self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds > 0 ? .max : 0))
  }
}
