/// The state of one wait of one task. Its owner or a cancellation ends the wait, exactly once.
///
/// The owner keeps it behind a lock of its own, in a ``WaitList`` if several tasks wait. A step of the wait
/// is therefore part of a step of its owner. A step that ends the wait returns the resumption of the task,
/// which the owner makes after the lock is released.
///
/// It knows nothing of tasks, so that the interleavings of the task that begins to wait, the thread that
/// cancels it, and the owner can be explored. A task waits with ``suspend(for:begin:cancel:)``.
@frozen @usableFromInline package enum CancellableWait {
  /// The reason why a wait has ended.
  @frozen @usableFromInline package enum End: Sendable {
    /// Its owner has ended it.
    case reached
    case cancelled
  }

  /// Resumes a task. Called once, under no lock, perhaps before the wait has begun to wait.
  @usableFromInline package typealias Resume = @Sendable (End) -> Void

  /// The call that resumes a task, to be made after the lock is released.
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
  /// Ended, perhaps before it has begun.
  case over

  @inlinable package var isOver: Bool { if case .over = self { true } else { false } }

  /// Begins the wait, once.
  ///
  /// - Returns: The resumption, if the wait was cancelled before.
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
