package import SimpleEvents

/// An element of a batch loop, with the callers that wait for its batch (L10).
///
/// The callers stay with the element, in a batch and in the next attempt. If another element replaces this
/// one, the callers move to that element.
@frozen @usableFromInline package enum LoopElement<Element: Sendable>: Sendable {
  // NB: there are two cases, so that an element without callers takes no memory for callers, and has no list
  // of callers to release.
  case plain(Element)
  case awaited(AwaitedElement<Element>)

  @inlinable package init(_ element: Element) { self = .plain(element) }

  /// Creates an element with a caller that waits for its batch.
  package init(_ element: Element, for caller: ElementCaller) {
    self = .awaited(AwaitedElement(element, [AnswerTicket(caller)]))
  }

  @inlinable package var element: Element {
    switch self {
    case .plain(let element): element
    case .awaited(let awaited): awaited.element
    }
  }

  private var tickets: [AnswerTicket] { if case .awaited(let awaited) = self { awaited.tickets } else { [] } }

  /// Returns `element` as the replacement of `old` and `new`, with the callers of `old` and of `new`.
  static func succeed(_ old: Self, _ new: Self, _ element: Element) -> Self {
    let (older, newer) = (old.tickets, new.tickets)
    let tickets = older.isEmpty ? newer : newer.isEmpty ? older : older + newer
    return tickets.isEmpty ? .plain(element) : .awaited(AwaitedElement(element, tickets))
  }
}

/// An element with the callers that wait for it, in the order of their calls.
@usableFromInline package final class AwaitedElement<Element: Sendable>: Sendable {
  @usableFromInline let element: Element
  let tickets: [AnswerTicket]

  init(_ element: Element, _ tickets: [AnswerTicket]) {
    self.element = element
    self.tickets = tickets
  }

  /// Ends the waits of all callers.
  func endWaits(with error: (any Error)?) {
    for ticket in tickets { ticket.caller.end(.reached, with: error) }
  }
}

/// The claim of one caller to an answer.
///
/// The element of the caller keeps the ticket. If the element is dropped, the ticket is deallocated without
/// an answer. Its deallocation ends the wait with a `CancellationError`.
final class AnswerTicket: Sendable {
  let caller: ElementCaller

  init(_ caller: ElementCaller) { self.caller = caller }

  deinit { caller.end(.reached, with: CancellationError()) }
}

/// A caller that waits for the batch of its element.
package final class ElementCaller: Sendable {
  private struct State {
    var wait: CancellableWait = .new
    /// The reason why there is no answer; nil if the batch has succeeded.
    var error: (any Error)?
  }

  /// Guards the wait and its error. The task is resumed after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  package init() {}

  package var error: (any Error)? { state.withLock { $0.error } }

  /// Begins the wait; returns false if the wait was already cancelled.
  package func begin(_ resume: @escaping CancellableWait.Resume) -> Bool {
    let resumption = state.withLock { $0.wait.begin(resume) }
    resumption?()
    return resumption == nil
  }

  /// Ends the wait, once.
  package func end(_ end: CancellableWait.End, with error: (any Error)?) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      guard !state.wait.isOver else { return nil }
      state.error = error
      return state.wait.end(end)
    }
    resumption?()
  }
}

extension BatchLoop {
  /// Adds an element, and returns when the run of a batch with that element has succeeded.
  ///
  /// ```swift
  /// func name(of user: Int) async throws -> String? {
  ///   try await loads.process(user)
  ///   return names[user]
  /// }
  /// ```
  ///
  /// If `.distinct` or `.combined` replaces the element, the batch of its successor answers the call. A batch
  /// that is retried gives no answer until its last attempt. If the loop has no host, the call waits until a
  /// task hosts the loop. The call also waits if the run of the batch fails and ends the host, because the
  /// next host repeats the batch (L9).
  ///
  /// Cancelling the caller ends the wait, and the element stays queued. A call from a run of this loop, or
  /// from a child task or a `Task { }` of such a run, is flagged: the call adds the element, and throws a
  /// `CancellationError` (L10).
  ///
  /// - Parameter element: The element to add. It is not added if the caller's task is already cancelled.
  /// - Throws: The error of the run, if no attempt follows. A `CancellationError` if the caller was
  ///   cancelled, or if the element was dropped: by the limit or the policy, by ``cancel()``, by
  ///   ``cancelRun()``, by an end of the loop, or because the scheduler is lost (L10).
  /// - Complexity: That of ``add(_:)``, plus O(n) in the number of callers that wait for the same element.
  public func process(_ element: Element) async throws {
    guard !runs.flagsCallInsideRun("process(_:)") else {
      add(element)
      throw CancellationError()
    }
    let caller = ElementCaller()
    await CancellableWait.suspend(for: runs.awaited(in: "process(_:)")) { resume in
      guard caller.begin(resume) else { return }
      queued.add(LoopElement(element, for: caller), to: runs)
    } cancel: {
      caller.end(.cancelled, with: CancellationError())
    }
    if let error = caller.error { throw error }
  }
}
