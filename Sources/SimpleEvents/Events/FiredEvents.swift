/// The events of a group, and those among them that have fired and wait to be delivered.
///
/// Apart from its observer, so that the blocks in the events' hubs need not hold that. Events may fire
/// on different threads.
final class FiredEvents {
  private struct State {
    var isClosed: Bool = false
    /// The events observed, kept alive.
    var events: [any SimpleEventObservable] = []
    var tokens: [any SimpleEventToken] = []
    /// What to call, let go of with the rest.
    var block: (([any SimpleEventObservable]) -> Void)?
    var fired: [any SimpleEventObservable] = []
    var firedIDs: Set<ObjectIdentifier> = []
  }

  /// Guards the lists. What is taken off them is let go after the lock.
  private let state: Guarded<State>

  init(_ block: @escaping ([any SimpleEventObservable]) -> Void) {
    state = Guarded(State(block: block))
  }

  /// Observes events; called once.
  ///
  /// - Parameter signal: Called after each event that was recorded.
  func observe(
    _ events: [any SimpleEventObservable], at site: RegistrationSite, _ signal: @escaping () -> Void
  ) {
    var seen: Set<ObjectIdentifier> = []
    let events = events.filter { seen.insert(ObjectIdentifier($0)).inserted }
    // NB: what is listed is what is told of, not what a block is handed: that is another event where
    // somebody's own observable forwards to one. The cycle through the block ends with `close()`.
    let tokens = events.compactMap { event in
      event.addObserver(at: site) { [self] _ in
        if record(event) {
          signal()
        }
      }
    }
    state.withLock { state in
      state.events = events
      state.tokens = tokens
    }
  }

  /// Notes an event, unless it is noted already; returns false once closed.
  func record(_ event: any SimpleEventObservable) -> Bool {
    state.withLock { state in
      if !state.isClosed && state.firedIDs.insert(ObjectIdentifier(event)).inserted {
        state.fired.append(event)
      }
      return !state.isClosed
    }
  }

  /// Calls the block with the events that have fired, in the order in which they first did, if any have.
  func deliver() {
    let (block, fired) = state.withLock { state in
      defer {
        state.fired = []
        state.firedIDs = []
      }
      return (state.block, state.fired)
    }
    if !fired.isEmpty {
      block?(fired)
    }
  }

  /// Lets go of everything, for good.
  func close() {
    let old = state.withLock { state -> State in
      defer { state = State(isClosed: true) }
      return state
    }
    for token in old.tokens {
      token.remove()
    }
  }
}
