/// A debouncer or throttle of closures: the newest closure that was scheduled runs when the policy delivers.
///
/// ```swift
/// @MainActor
/// final class SearchField {
///   private let latest: LatestCall
///   private let search: (String) -> Void
///
///   init(on scheduler: some EventScheduler = .main, search: @escaping (String) -> Void) {
///     latest = LatestCall(on: scheduler, policy: .debounce(.milliseconds(300)))
///     self.search = search
///   }
///
///   func textDidChange(_ text: String) {
///     latest.schedule { [weak self] in self?.search(text) }
///   }
/// }
/// ```
///
/// A ``CoalescingCallback`` runs the same block each time, whereas each request to a `LatestCall` passes a
/// new closure with its captures. A closure that is replaced, cancelled, or ignored by a leading-only policy
/// is released. Keep a reference to the object, because its deallocation cancels the pending closure.
///
/// Contracts: C1 to C8, C10, C11, E9, see <doc:Contracts>.
public final class LatestCall {
  private let coalescer: Coalescer
  package let subject: DiagnosticSubject
  /// The pending closure.
  // SAFETY: the closure is used under the coalescer's lock only, so no two accesses overlap.
  @exclusivity(unchecked) private var newest: StoredAction?

  /// Creates an object without a closure.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which closures run, and whose clock measures windows.
  ///   - policy: The rule by which requests become runs.
  ///   - label: The name of the object in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
  }

  /// The name of the object in diagnostics.
  public var label: String? { subject.label }

  /// Whether a closure runs without a further request.
  public var isPending: Bool { coalescer.isPending }

  /// Requests a run of a closure. The closure replaces the pending one.
  ///
  /// The method may be called from any thread, and does not run the closure itself (C5). If the closure is
  /// isolated to an actor, the scheduler must deliver on that actor (E9). A closure that is written in the
  /// call has the isolation of its context, even with `@Sendable`. To pass a closure without isolation, store
  /// it in a constant of the type `@Sendable () -> Void` first.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The closure to run. It is released when it has run.
  /// - Complexity: O(1).
  public func schedule(
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext _ block: @escaping @Sendable @isolated(any) () -> Void
  ) {
    let call = StoredAction(block, at: CallSite(fileID: fileID, line: line))
    // The replaced closure is released when this method returns, after the lock is released.
    var replaced: StoredAction?
    coalescer.signal(for: self) { isAccepted in
      guard isAccepted else { return }
      replaced = takeNewest()
      unsafe newest = call
    }
    withExtendedLifetime(replaced) {}
  }

  /// Releases the pending closure without a run, and closes the window.
  ///
  /// The method is idempotent, and may be called from any thread (E6, C7).
  public func cancel() {
    var call: StoredAction?
    coalescer.cancel { call = takeNewest() }
    withExtendedLifetime(call) {}
  }

  /// Runs the pending closure now, on the calling thread, and closes the window.
  ///
  /// Call this method on the scheduler (C7).
  public func flush() {
    var call: StoredAction?
    let delivers = coalescer.flush(subject) {
      call = takeNewest()
      return CoalescingGate.Rest()
    }
    if delivers { run(call) }
  }

  /// Takes the pending closure. Called under the lock.
  private func takeNewest() -> StoredAction? { unsafe newest.take() }

  private func run(_ call: StoredAction?) {
    call?.call(subject)
    coalescer.finish(for: self, subject)
  }
}

extension LatestCall: Wakeable, PendingObject {
  package var isEndless: Bool { coalescer.isEndless }

  package func wake(_ cause: WakeCause) {
    var call: StoredAction?
    let effect = coalescer.wake(cause, for: self) { _ in
      call = takeNewest()
      return CoalescingGate.Rest()
    }
    // The closure of a delivery that is lost is released here (S7).
    if effect == .delivers { run(call) }
  }
}

extension LatestCall: CustomStringConvertible {
  /// The type and the label, and whether a closure is pending.
  public var description: String {
    let isPending = coalescer.withLock { unsafe newest != nil }
    return coalescer.description(subject.name, pending: isPending ? "1 closure" : nil)
  }
}

// SAFETY: closures are `Sendable`. The pending one is behind the coalescer's lock. All other properties are
// immutable, atomic or behind a lock.
extension LatestCall: @unchecked Sendable {}
