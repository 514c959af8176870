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
public final class LatestCall: Sendable {
  private struct Call: Sendable {
    let block: @Sendable @isolated(any) () -> Void
    let origin: BlockIsolation
  }

  private let calls: CoalescingCollector<Call>

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
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    let noOrigin = BlockIsolation(nil, at: nil)
    // A replaced closure is not reported as dropped, because the program wants only the newest closure to
    // run.
    calls = CoalescingCollector(
      on: scheduler, policy: policy, keeping: .newest(1), reportsDrops: false, subject, noOrigin
    ) { batch in
      batch[0].origin.flagIfOffActor(subject)
      StoredAction(batch[0].block).call()
    }
  }

  /// The name of the object in diagnostics.
  public var label: String? { calls.subject.label }

  /// Whether a closure runs without a further request.
  public var isPending: Bool { calls.isPending }

  /// Requests a run of a closure. The closure replaces the pending one.
  ///
  /// The method may be called from any thread, and returns before the closure runs (C5). If the closure is
  /// isolated to an actor, the scheduler must deliver on that actor (E9).
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
    let site = CallSite(fileID: fileID, line: line)
    calls.add(Call(block: block, origin: BlockIsolation(block.isolation, at: site)))
  }

  /// Releases the pending closure without a run, and closes the window.
  ///
  /// The method is idempotent, and may be called from any thread (E6, C7).
  public func cancel() { calls.cancel() }

  /// Runs the pending closure now, on the calling thread, and closes the window.
  ///
  /// Call this method on the scheduler (C7).
  public func flush() { calls.flush() }
}

extension LatestCall: CustomStringConvertible {
  /// The type and the label, and whether a closure is pending.
  public var description: String { calls.description(calls.subject.name, of: "closure") }
}
