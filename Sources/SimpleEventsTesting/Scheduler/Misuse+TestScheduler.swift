public import SimpleEvents

extension Misuse.Kind {
  /// A test scheduler was advanced or asked to run a body, either from inside work that it runs, or from two
  /// threads at the same time (S3).
  public static var nestedAdvance: Self { Self() }
  /// Work was still due when an advance or a run of a test scheduler had run as many entries as its limit
  /// allows (C11).
  public static var advanceLimitReached: Self { Self() }
  /// During a run of a test scheduler, another thread enqueued a job on the scheduler (S4).
  public static var externalJob: Self { Self() }
}

extension Misuse {
  static func nestedAdvance(of subject: DiagnosticSubject) -> Self {
    Misuse(
      .nestedAdvance, subject, at: subject.site,
      "\(subject.name) was advanced from inside work that it runs, or from two threads at the same time.",
      "Advance it from the test itself, or schedule more work instead.",
      release: "the inner call has no effect")
  }

  static func nestedRun(of subject: DiagnosticSubject, at site: CallSite) -> Self {
    Misuse(
      .nestedAdvance, subject, at: site,
      """
      \(subject.name) was asked to run a body\(at(site)) from inside work that it runs, or from two threads \
      at the same time.
      """,
      "Await the inner body in the outer one, or give it a scheduler of its own.",
      release: "the inner call throws StuckError, and does not call its body")
  }

  /// - Parameters:
  ///   - limit: The largest number of entries of the advance or run.
  ///   - subject: The subject of diagnostics: the scheduler.
  ///   - instant: The time of the scheduler.
  ///   - subjects: The objects that requested most of the entries.
  ///   - hasJobs: Whether the due entries include jobs of tasks.
  static func advanceLimitReached(
    _ limit: Int, of subject: DiagnosticSubject, at instant: String, by subjects: [DiagnosticSubject],
    hasJobs: Bool
  ) -> Self {
    let objects = subjects.map { "\($0.name)\($0.origin(", created"))" }.joined(separator: "; ")
    let cause =
      !subjects.isEmpty
      ? "These objects deliver again and again: \(objects)."
      : hasJobs
        ? "It runs jobs of tasks, one after the other."
        : "The work schedules more work, again and again."
    return Misuse(
      .advanceLimitReached, subject, at: subjects.first?.site ?? subject.site,
      """
      \(subject.name) has run \(max(limit, 0)) entries in one advance or run, which is the limit, and more \
      work is due. Its time is \(instant). \(cause)
      """,
      """
      Trigger an object from inside its own deliveries only while something has changed, or give it a policy \
      with an interval. If the work has an end, pass a larger limit.
      """, release: "the advance ends, and time stays at that instant")
  }

  static func externalJob(_ count: Int, on subject: DiagnosticSubject, duringRunAt site: CallSite)
    -> Self
  {
    Misuse(
      .externalJob, subject, at: site,
      """
      \(count == 1 ? "A job of a task" : "\(count) jobs of tasks") came to \(subject.name) from another \
      thread during the run\(at(site)): code outside of the scheduler has resumed the task.
      """,
      """
      Pass the scheduler and its clock to the code that takes a queue or a clock. If the body has to wait \
      for other threads, allow it with run(externalJobs: .awaited(upTo: …)).
      """,
      release: "the job also runs after the run, with the scheduler's next entries")
  }
}
