extension SimpleEventObservable {
  /// The notifications of this event as an asynchronous sequence.
  ///
  /// ```swift
  /// for await _ in document.didChange.notifications {
  ///   await save(document)  // all changes during a save cause one more
  /// }
  /// ```
  ///
  /// The event is observed from this access on, so that a change between the access and the loop is not
  /// missed. Each access makes a new sequence.
  ///
  /// - Complexity: Amortised O(1).
  public var notifications: EventNotifications { EventNotifications(of: self) }
}

/// The notifications of an event as an asynchronous sequence.
///
/// Get the sequence from an event, with ``SimpleEventObservable/notifications``. All notifications between
/// two calls of an iterator's `next` become one: no notification is lost, and no notification is queued.
/// Several tasks may iterate over one sequence, each with its own iterator. Each task receives all
/// notifications since the sequence was created.
///
/// A sequence remembers that its event has notified. A second loop over the same sequence therefore begins
/// with a notification, even if an earlier loop has received it. Code that waits several times uses one loop,
/// or one iterator in a local variable. If the iterator is in a property, copy it to a variable for the call
/// of `next`: copies of an iterator share its state. The cancellation of a wait ends the iterator. To wait
/// several times with a timeout, iterate over the notifications of a proxy. The sources of the proxy are the
/// event and a second event that a timer triggers, see <doc:Recipes>.
///
/// The observation ends when the sequence is released and each of its iterators is released or cancelled.
/// Until then the sequence of an ``ObservationEvent`` keeps its event alive, because such an event is often
/// created for one loop. The sequence of any other event does not keep its event alive, and ends when the
/// event is deallocated.
///
/// Contracts: N1 to N4 and O5, see <doc:Contracts>.
public struct EventNotifications: AsyncSequence, Sendable {
  /// A notification carries no value.
  public typealias Element = Void
  /// The sequence does not throw.
  public typealias Failure = Never

  /// Keeps the observation while there is no iterator. This cursor never takes a notification.
  package let cursor: NotificationCursor
  /// Reports the iterators to a monitor; nil if no monitor sees them.
  private let watch: WatchedIterators?

  init(of event: some SimpleEventObservable) {
    let subject = DiagnosticSubject(type: type(of: event), label: event.label, misuse: .debugTrap, site: nil)
    let lazyEvent = event as? LazySimpleEvent
    let losingEvent = lazyEvent.flatMap { $0.turns.canLoseTurns ? $0 : nil }
    let observation = event as? ObservationEvent
    let source = NotificationCounter(
      (event as? any ObserverListOwner)?.list.subject ?? subject, losing: losingEvent?.turns,
      leaving: observation)
    cursor = NotificationCursor(of: source)
    let watch = WatchedIterators(of: source.subject, on: lazyEvent?.turns.scheduler)
    self.watch = watch
    let end = FinishOnDeinit(source)
    let block: @isolated(any) (any SimpleEventObservable) -> Void = { @Sendable [source] _ in
      withExtendedLifetime(end) {
        watch?.noteSignal()
        source.signal()
      }
    }
    guard
      var token = lazyEvent.map({ $0.list.observe(NotificationObserver(of: source, block)) })
        ?? event.addObserver(at: CallSite(), block)
    else { return }
    if let observation { token = KeepingToken(token, observation) }
    source.keep(token)
    // The check comes after the registration. If the proxy is removed after the check, the removal ends the
    // source.
    if let proxy = event as? SimpleEventProxy, proxy.isRemoved { source.finish() }
  }

  /// Creates an iterator. Its first wait ends immediately if the event has notified since the sequence was
  /// created.
  ///
  /// - Complexity: O(1).
  public func makeAsyncIterator() -> Iterator {
    Iterator(cursor: cursor.makeCursor(), watch: watch?.makeIterator())
  }

  /// The notifications for one task.
  ///
  /// Copies of an iterator share its state.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let cursor: NotificationCursor
    /// Reports the iterator to a monitor; nil if no monitor sees it.
    fileprivate let watch: WatchedIterator?

    /// Waits for a notification, on the actor of the caller.
    ///
    /// - Returns: Nil if the event has been deallocated, or is a proxy that was removed (E7). Nil if the
    ///   scheduler of the event has lost a notification, or is lost when the call has to wait (S7). Nil if
    ///   the task was cancelled in this call or in an earlier call.
    public mutating func next() async -> Void? { await next(isolation: #isolation) }

    /// Waits for a notification, on the actor of the caller.
    ///
    /// The call returns immediately if the event has notified since the last call. On the scheduler of an
    /// ``ObservationEvent``, it also returns immediately if a change is left to the iterators (O1). A second
    /// call while the first one waits is flagged; in a release build the first call returns nil.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: Nil if the event has been deallocated, or is a proxy that was removed (E7). Nil if the
    ///   scheduler of the event has lost a notification, or is lost when the call has to wait (S7). Nil if
    ///   the task was cancelled in this call or in an earlier call.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Void? {
      let (cursor, watch) = (cursor, watch)
      @Sendable func end() {
        cursor.end()
        watch?.end()
      }
      watch?.finish()
      guard !Task.isCancelled else {
        end()
        return nil
      }
      if !cursor.take() {
        let wait = await CancellableWait.suspend(for: .notification(of: cursor.subject)) {
          cursor.wait($0)
        } cancel: {
          end()
        }
        // If a second task has ended this wait, the next notification is for that task (N4).
        guard wait == .reached && cursor.consume() else { return nil }
      }
      watch?.begin()
      return ()
    }
  }
}

/// Ends a source when the event releases the block of the source. A deallocated event releases all its
/// blocks.
private final class FinishOnDeinit: Sendable {
  private let source: NotificationCounter

  init(_ source: NotificationCounter) { self.source = source }

  deinit { source.finish() }
}

/// The token of a source. It keeps the event alive until the last cursor of the source has ended (O5).
private final class KeepingToken: SimpleEventToken {
  private let token: any SimpleEventToken
  private let event: ObservationEvent

  init(_ token: any SimpleEventToken, _ event: ObservationEvent) {
    self.token = token
    self.event = event
  }

  func remove() {
    token.remove()
    event.takeBack()
  }
}

/// The block of a source in an event's list. The list ends the source when the event is a proxy that is
/// removed, or when the event's scheduler is lost (E6, S7).
final class NotificationObserver: BlockObserver {
  let source: NotificationCounter

  init(
    of source: NotificationCounter, _ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void
  ) {
    self.source = source
    super.init(block, at: CallSite())
  }
}
