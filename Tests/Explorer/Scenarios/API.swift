internal import ExplorerDispatch
internal import SimpleEvents

// The library's initialisers and registrations as the scenarios use them, in one place.

func makeEvent(on queue: DispatchQueue, _ policy: CoalescingPolicy = .nextTurn) -> LazySimpleEvent {
  LazySimpleEvent(queue: queue, policy: policy)
}

func makeEvent(on scheduler: any EventScheduler, _ policy: CoalescingPolicy = .nextTurn) -> LazySimpleEvent {
  LazySimpleEvent(scheduler: scheduler, policy: policy)
}

func makeCallback(
  on scheduler: any EventScheduler, _ policy: CoalescingPolicy = .nextTurn, _ block: @escaping () -> Void
) -> CoalescingCallback {
  CoalescingCallback(scheduler: scheduler, policy: policy, block: block)
}

func makeProxy(of event: LazySimpleEvent, _ other: LazySimpleEvent, on queue: DispatchQueue) -> SimpleEventProxy {
  SimpleEventProxy(queue: queue, events: event, other)
}

func makeGroup(
  of event: LazySimpleEvent, _ other: LazySimpleEvent, on queue: DispatchQueue,
  _ block: @escaping (_ fired: Int, _ hasFirst: Bool) -> Void
) -> SimpleEventGroupObserver {
  SimpleEventGroupObserver(events: event, other, policy: .nextTurn, scheduler: queue) { fired in
    block(fired.count, fired.contains { $0 === event })
  }
}

extension SimpleEventObservable {
  func observe(_ block: @escaping () -> Void) -> any SimpleEventToken {
    addObserver(isolation: nil) { _ in block() }!
  }
}

func makeSharedHub<T: Sendable>(_ report: @escaping @Sendable (Misuse) -> Void) -> ObserverHub<T> {
  ObserverHub(misuse: .report(report))
}
