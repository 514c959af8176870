internal import CPlatform
internal import SimpleEvents
internal import Synchronization

/// Runs the job of the program to its end.
enum Jobs {
  /// Whether the exit status is decided, by the end of the job or by a signal.
  // The ordering is relaxed: the flag orders no other data.
  private static let isDecided: Atomic<Bool> = Atomic(false)

  /// Runs a job, and exits with the job's status, or with 128 + n after signal n.
  ///
  /// After a signal, the program always exits. The threads that end it are already running, and the time for
  /// the end is limited.
  ///
  /// - Parameters:
  ///   - job: The work, which runs on a thread of its own. The parameter is not generic, because the
  ///     optimizer of Swift 6.3 crashes on a specialization.
  ///   - workers: The threads of the job.
  ///   - signals: The signals that end the job. The calling thread waits for them.
  static func run(_ job: any Job, on workers: Workers, endedBy signals: AwaitedSignals) -> Never {
    workers.job.schedule {
      let status = job.run()
      // If a signal has ended the job, the signal decides the status.
      guard !isDecided.exchange(true, ordering: .relaxed) else { return }
      _exit(Exit.doLastWork() ? status : EXIT_FAILURE)
    }
    var requests = EndRequests()
    while true {
      let signal = signals.next()
      if signal == SIGTSTP {
        job.suspend(signals.stop)
        continue
      }
      switch requests.meaning(of: signal, at: workers.alarm.now) {
      case .end: end(job, on: workers, after: signal)
      case .repetition: continue
      case .exit:
        job.abandon()
        _exit(128 + signal)
      }
    }
  }

  /// Ends a job after a signal. If the job has already ended by itself, this method only limits the time of
  /// the last work of the program. Returns immediately.
  private static func end(_ job: any Job, on workers: Workers, after signal: Int32) {
    workers.alarm.schedule(at: workers.alarm.now.advanced(by: job.endLimit)) {
      job.abandon()
      _exit(128 + signal)
    }
    if isDecided.exchange(true, ordering: .relaxed) { return }
    workers.end.schedule {
      job.end()
      Exit.doLastWork()
      _exit(128 + signal)
    }
  }
}
