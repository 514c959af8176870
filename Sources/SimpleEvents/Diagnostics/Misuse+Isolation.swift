extension Misuse.Kind {
  /// A block that is isolated to an actor was about to be called off that actor (E9).
  public static var wrongIsolation: Self { Self() }
  /// An asynchronous body of the main actor was due while a test scheduler held the main thread (L6).
  public static var mainActorBlocked: Self { Self() }
}

extension Misuse {
  /// - Parameter isOfOperator: Whether the block belongs to an operator on values.
  static func wrongIsolation(
    of actor: any Actor, _ subject: DiagnosticSubject, registered site: CallSite?, isOfOperator: Bool
  ) -> Self {
    let remedy =
      isOfOperator
      ? """
       Or put 'observe(on:)' before an operator, and subscribe to 'Observable.create' on that actor, not in \
      an 'async let'.
      """ : ""
    return Misuse(
      .wrongIsolation, subject, at: site,
      "A block of \(subject.name) is isolated to \(actor), and is about to be called outside of that actor.",
      """
      Deliver on that actor: pass its scheduler as 'on:' (.main for the main actor, .actor(…) for another \
      one). If the event belongs to another owner, iterate over its notifications.\(remedy) If the block may \
      run on any thread, write { @Sendable … in … }, and for a LatestCall store it in a constant of a \
      @Sendable type first.
      """, release: "the block is called", site.map { " The block was registered at \($0)." } ?? "")
  }

  static func mainActorBlocked(_ function: String, of subject: DiagnosticSubject) -> Self {
    Misuse(
      .mainActorBlocked, subject, at: subject.site,
      """
      The \(function) of \(subject.name) belongs to the main actor, whose thread is inside an advance or a \
      run of a test scheduler: the \(function) cannot be called before the advance or the run returns.
      """,
      """
      Await scheduler.runOnMain { … } in the test, which gives the main actor its turns, or make the \
      \(function) nonisolated, as a closure in a nonisolated test or function is.
      """,
      release: "it is called after a turn of the main actor, and perhaps only after a further advance")
  }
}
