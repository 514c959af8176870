/// The state of one wait of one task. Its owner or a cancellation ends the wait, exactly once.
///
/// The owner stores the wait under its own lock, in a ``WaitList`` if several tasks wait. The owner can
/// therefore change its own state and the wait in one step. A function that ends the wait returns a
/// resumption, which the owner calls after the lock is released.
///
/// This type does not use the tasks of the Swift runtime, so the interleaving explorer can run it. A task
/// waits with ``suspend(for:begin:cancel:)``.
@frozen @usableFromInline package enum CancellableWait {
  /// The reason why a wait has ended.
  @frozen @usableFromInline package enum End: Sendable {
    /// The owner has ended the wait.
    case reached
    case cancelled
  }

  /// A function that resumes a task. It is called once, under no lock, perhaps before the task is suspended.
  @usableFromInline package typealias Resume = @Sendable (End) -> Void

  /// The resumption of a task. The owner of the wait calls the resumption after the owner's lock is released.
  @frozen @usableFromInline package struct Resumption {
    @usableFromInline let resume: Resume
    @usableFromInline let end: End

    @inlinable init(resume: @escaping Resume, end: End) {
      self.resume = resume
      self.end = end
    }

    @usableFromInline package func callAsFunction() { resume(end) }
  }

  case new
  case waiting(Resume)
  /// The wait has ended, perhaps before it began.
  case over

  @inlinable package var isOver: Bool { if case .over = self { true } else { false } }

  /// Begins the wait. Called once for each wait.
  ///
  /// - Returns: The resumption, if the wait was already cancelled; nil otherwise.
  @inlinable package mutating func begin(_ resume: @escaping Resume) -> Resumption? {
    if isOver { return Resumption(resume: resume, end: .cancelled) }
    guard case .new = self else { preconditionFailure("a wait begins once") }
    self = .waiting(resume)
    return nil
  }

  /// Ends the wait. A wait that is cancelled before it begins ends when it begins.
  ///
  /// - Returns: The resumption; nil if the wait has not begun, or is over.
  @inlinable package mutating func end(_ end: End) -> Resumption? {
    defer { self = .over }
    guard case .waiting(let resume) = self else { return nil }
    return Resumption(resume: resume, end: end)
  }
}
