// Actors are deallocated while their schedulers have pending work, and tasks are resumed while they begin to
// wait, under the thread sanitizer.
import SimpleEvents
import SimpleEventsLoops
import SimpleObservables

actor Index {
  private lazy var scheduler = ActorScheduler(self)
  private lazy var event = LazySimpleEvent(on: scheduler, policy: .debounce(.microseconds(200)))
  private lazy var loop = RefreshLoop(on: scheduler, policy: .debounce(.microseconds(100))) { [weak self] in
    await self?.refresh()
  }
  private var token: (any SimpleEventToken)?
  private var count = 0

  func start() -> (ActorScheduler, LazySimpleEvent, RefreshLoop) {
    token = event.addObserver { @Sendable _ in }
    event.trigger()
    loop.request()
    return (scheduler, event, loop)
  }

  private func refresh() { count += 1 }
}

func release(after delay: Duration) async {
  var index: Index? = Index()
  let (scheduler, event, loop) = await index!.start()
  let clock = SchedulerClock(scheduler)
  let mailbox = SimpleMailbox<Int>(event: event)
  let variable = Variable(0)
  await withTaskGroup { group in
    group.addTask { [index] in
      await Task.yield()
      withExtendedLifetime(index) {}
    }
    index = nil
    for number in 1...3 {
      group.addTask { try? await clock.sleep(for: delay) }
      group.addTask {
        event.trigger()
        try? await clock.sleep(for: .microseconds(100))
      }
      group.addTask {
        let sleep = Task { try? await clock.sleep(for: .microseconds(100)) }
        await Task.yield()
        sleep.cancel()
        await sleep.value
      }
      group.addTask {
        let deadline = scheduler.now.advanced(by: delay)
        let work = [1, 2].map { _ in scheduler.schedule(at: deadline) {} }
        scheduler.schedule {}
        work[0].cancel()
      }
      group.addTask {
        let next = Task { await mailbox.next() }
        await Task.yield()
        next.cancel()
        _ = await next.value
      }
      group.addTask {
        mailbox.replaceEvenIfSame(number)
        variable.value = number
      }
    }
    group.addTask { _ = try? await variable.asObservable().values.first { $0 > 0 } }
    group.addTask {
      var notifications = event.notifications.makeAsyncIterator()
      event.trigger()
      await notifications.next()
    }
    group.addTask {
      loop.request()
      await loop.settle()
    }
    group.addTask { await loop.finish() }
  }
}

for round in 0..<900 { await release(after: .microseconds(round % 5 * 50)) }
print("done")
