#if DEBUG
  internal import Dispatch
  internal import Synchronization

  extension Actor {
    /// Whether the caller runs on this actor; true where that cannot be found out.
    ///
    /// The standard library only offers assertions, which stop with a text of their own. What it does
    /// have is a task that starts on the spot if, and only if, the caller is on the task's actor already.
    nonisolated var isCurrent: Bool {
      if self === MainActor.shared && DispatchQueue.main.isCurrent {
        // Work on the main queue that is no task runs on the main actor's executor all the same.
        return true
      }
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return true }
      return startsOnTheSpot
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private nonisolated var startsOnTheSpot: Bool {
      let hasRun = Flag()
      let caller = ThreadIdentity.current
      let start: (isolated any Actor) -> Void = { actor in
        _ = Task.immediate {
          _ = actor
          // NB: a task that had to wait may have found its actor idle, and run elsewhere already.
          if ThreadIdentity.current == caller {
            hasRun.value.store(true, ordering: .relaxed)
          }
        }
      }
      // NB: sound, since isolation is not part of a function's representation, and the function touches
      // nothing of the actor's: it names the actor, and starts a task that does the same. The standard
      // library's `assumeIsolated` rests on the same cast.
      unsafeBitCast(start, to: ((any Actor) -> Void).self)(self)
      // Relaxed: what a task that started on the spot wrote, it wrote on this thread.
      return hasRun.value.load(ordering: .relaxed)
    }
  }

  private final class Flag: Sendable {
    let value: Atomic<Bool> = Atomic(false)
  }
#endif
