#if canImport(Glibc)
  import CAllocationCount
  import Dispatch
  import SimpleEvents
  import SimpleEventsTesting
  import TestSupport
  import Testing

  /// What programs do all the time asks for no memory.
  @Suite(.enabled(if: allocation_count() >= 0, "a sanitizer has an allocator of its own"))
  struct AllocationTests {
    private final class Observer: SimpleEventObserver {
      private(set) var calls: Int = 0

      func simpleEventDidTrigger(_ event: any SimpleEventObservable) { calls += 1 }
    }

    @Test func `what is allocated is counted`() {
      var kept: [Observer] = []
      kept.reserveCapacity(2000)
      let count = allocations {
        for _ in 0..<1000 { kept.append(Observer()) }
      }
      #expect(count == 1000)
    }

    @Test(arguments: CoalescingCallbackTests.policies)
    func `C3 E4: a trigger while pending`(_ policy: CoalescingPolicy) {
      let scheduler = TestScheduler()
      let event = LazySimpleEvent(scheduler: scheduler, policy: policy)
      let recorder = EventRecorder(event, scheduler: scheduler)
      event.trigger()
      let count = allocations {
        for _ in 0..<1000 { event.trigger() }
      }
      #expect(count == 0)
      #expect(event.isPending)
      scheduler.run()
      #expect(recorder.count == 1)
    }

    @Test func `C3: a trigger while pending on a queue`() {
      let queue = DispatchQueue(label: "suspended")
      queue.suspend()
      let event = LazySimpleEvent(queue: queue)
      event.trigger()
      let count = allocations {
        for _ in 0..<1000 { event.trigger() }
      }
      #expect(count == 0)
      queue.resume()
      queue.sync {}
    }

    @Test(.enabled(if: !isDebug, "in debug builds cycles are watched"))
    func `a notification`() {
      let event = SimpleEvent()
      let observers = (0..<100).map { _ in Observer() }
      observers.forEach { event.addObserver($0) }
      var calls = 0
      let tokens = (0..<100).map { _ in event.addObserver(isolation: nil) { _ in calls += 1 } }
      let count = allocations {
        for _ in 0..<5 { event.trigger() }
      }
      #expect(count == 0)
      #expect(calls == 1000)
      #expect(observers.allSatisfy { $0.calls == 10 })
      observers.forEach { event.removeObserver($0) }
      withExtendedLifetime(tokens) {}
    }

    @Test func `M1: a value that replaces one in a mailbox`() {
      let mailbox = SimpleMailbox<Int>(event: LazySimpleEvent(scheduler: TestScheduler()))
      let count = allocations {
        for number in 1...1000 { mailbox.replace(number) }
      }
      #expect(count == 0)
      #expect(mailbox.take() == 1000)
    }

    private func allocations(_ body: () -> Void) -> Int {
      // What is made once, such as metadata, is made by now.
      body()
      let before = allocation_count()
      body()
      return allocation_count() - before
    }
  }
#endif
