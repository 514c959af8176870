internal import ExplorerDispatch
internal import SimpleEvents

// The library's initialisers and registrations, in the forms that the scenarios use.

func makeEvent(on scheduler: some EventScheduler, _ policy: CoalescingPolicy = .nextTurn) -> LazySimpleEvent {
  LazySimpleEvent(on: scheduler, policy: policy)
}

func makeCallback(
  on scheduler: some EventScheduler, _ policy: CoalescingPolicy = .nextTurn, _ block: @escaping () -> Void
) -> CoalescingCallback {
  CoalescingCallback(on: scheduler, policy: policy, block: block)
}

func makeProxy(
  of event: LazySimpleEvent, _ other: LazySimpleEvent, on queue: DispatchQueue
) -> SimpleEventProxy {
  SimpleEventProxy(of: event, other, on: queue)
}

func makeGroup(
  of event: LazySimpleEvent, _ other: LazySimpleEvent, on queue: DispatchQueue,
  _ block: @escaping (_ fired: Int, _ hasFirst: Bool) -> Void
) -> SimpleEventGroupObserver {
  SimpleEventGroupObserver(of: event, other, on: queue) { fired in block(fired.count, fired.contains(event)) }
}

func makeSharedHub<T: Sendable>(_ report: @escaping @Sendable (Misuse) -> Void) -> ObserverHub<T> {
  ObserverHub(misuse: .report(report))
}

extension SimpleEventObservable {
  func observe(_ block: @escaping () -> Void) -> any SimpleEventToken {
    addObserver { _ in block() }!
  }
}

func makeCollector<Element>(
  on scheduler: some EventScheduler, _ policy: CoalescingPolicy, keeping limit: ElementLimit<Element>,
  _ block: @escaping (ElementBatch<Element>) -> Void
) -> CoalescingCollector<Element> {
  CoalescingCollector(on: scheduler, policy: policy, keeping: limit, block: block)
}

func makeKeyedCallback<Key: Hashable & Sendable>(
  on scheduler: some EventScheduler, _ policy: CoalescingPolicy, _ block: @escaping (Key) -> Void
) -> KeyedCallback<Key> {
  KeyedCallback(on: scheduler, policy: policy, block: block)
}

func makeKeyedCollector<Key: Hashable & Sendable, Element>(
  on scheduler: some EventScheduler, _ policy: CoalescingPolicy, keeping limit: ElementLimit<Element>,
  onDrop: (@Sendable (Key, Element) -> Void)? = nil, _ block: @escaping (Key, ElementBatch<Element>) -> Void
) -> KeyedCollector<Key, Element> {
  KeyedCollector(on: scheduler, policy: policy, keeping: limit, onDrop: onDrop, block: block)
}
