// Several threads use one event, hub, mailbox, collector, keyed callback and variable, under the thread
// sanitizer.
import Dispatch
import SimpleEvents
import SimpleObservables

final class Box: Sendable {}

let queue = DispatchQueue(label: "deliveries")
let event = LazySimpleEvent(on: queue)
let hub = ObserverHub<Box>()
let mailbox = SimpleMailbox<Int>(event: event)
let collector = CoalescingCollector<Int>(on: queue, keeping: .distinct(100)) { @Sendable _ in }
let variable = Variable(0)
let keyed = KeyedCallback<Int>(on: queue, policy: .throttle(.microseconds(50))) { @Sendable _ in }
let debounced = CoalescingCallback(on: queue, policy: .debounce(.microseconds(50))) { @Sendable in }

DispatchQueue.concurrentPerform(iterations: 8) { thread in
  for round in 0..<2_000 {
    let token = event.addObserver { @Sendable _ in }
    let subscription = variable.subscribe { @Sendable _ in }
    let box = Box()
    hub.add(box)
    if round % 10 == 0 { _ = event.debugDescription }
    event.trigger()
    mailbox.replaceEvenIfSame(round)
    collector.add(round % 10)
    variable.value = round
    debounced.schedule()
    keyed.schedule(round % 100)
    hub.forEach { _ in }
    _ = mailbox.take()
    hub.remove(box)
    subscription.remove()
    token?.remove()
  }
}
queue.sync {}
print("done")
