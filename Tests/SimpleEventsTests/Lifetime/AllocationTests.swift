#if canImport(Glibc)
  import CAllocationCount
  import Dispatch
  import SimpleEvents
  import SimpleEventsLoops
  import SimpleEventsMonitoring
  import SimpleEventsTesting
  import TestSupport
  import Testing

  /// Frequent operations. They allocate no memory.
  @Suite(.enabled(if: allocation_count() >= 0, "a sanitizer brings its own allocator"))
  struct AllocationTests {
    private final class Observer: SimpleEventObserver {
      private(set) var calls: Int = 0

      func simpleEventDidTrigger(_ event: any SimpleEventObservable) { calls += 1 }
    }

    @Test("allocation_count: each allocation is counted")
    func allocationsAreCounted() {
      var kept: [Observer] = []
      kept.reserveCapacity(2000)
      let count = allocations {
        for _ in 0..<1000 { kept.append(Observer()) }
      }
      #expect(count == 1000)
    }

    @Test("C3, E4: a trigger while pending allocates nothing", arguments: CoalescingCallbackTests.policies)
    func triggerWhilePending(_ policy: CoalescingPolicy) {
      let scheduler = TestScheduler()
      let event = LazySimpleEvent(on: scheduler, policy: policy)
      let recorder = EventRecorder(event, on: scheduler)
      event.trigger()
      let count = allocations {
        for _ in 0..<1000 { event.trigger() }
      }
      #expect(count == 0)
      #expect(event.isPending)
      scheduler.run()
      #expect(recorder.count == 1)
    }

    @Test(
      "C3: a request while one is pending allocates nothing", arguments: CoalescingCallbackTests.policies)
    func requestWhilePending(_ policy: CoalescingPolicy) {
      let loop = RefreshLoop(on: TestScheduler(), policy: policy) {}
      loop.request()
      let count = allocations {
        for _ in 0..<1000 { loop.request() }
      }
      #expect(count == 0)
    }

    @Test(
      "L1: a run of a loop makes at most four allocations more than its task",
      .enabled(if: !isDebug, "in debug builds, tasks and loops are recorded"))
    func run() {
      let scheduler = TestScheduler()
      let counts = Shared((runs: 0, tasks: 0))
      let loop = RefreshLoop(on: scheduler) { counts.change { $0.runs += 1 } }
      let runs = allocations {
        for _ in 0..<100 {
          loop.request()
          scheduler.run()
        }
      }
      let tasks = allocations {
        for _ in 0..<100 {
          Task.detached(executorPreference: scheduler) { counts.change { $0.tasks += 1 } }
          scheduler.run()
        }
      }
      #expect(runs - tasks <= 400)
      #expect(counts.value.runs == 200 && counts.value.tasks == 200)
    }

    @Test("C3: a trigger while pending on a queue allocates nothing")
    func triggerWhilePendingOnQueue() {
      let queue = DispatchQueue(label: "suspended")
      queue.suspend()
      let event = LazySimpleEvent(on: queue)
      event.trigger()
      let count = allocations {
        for _ in 0..<1000 { event.trigger() }
      }
      #expect(count == 0)
      queue.resume()
      queue.sync {}
    }

    @Test(
      "E1: a notification allocates nothing",
      .enabled(if: !isDebug, "in debug builds the list records its cycles"))
    func notification() {
      let event = SimpleEvent()
      let observers = (0..<100).map { _ in Observer() }
      observers.forEach { event.addObserver($0) }
      var calls = 0
      let tokens = (0..<100).map { _ in event.addObserver { _ in calls += 1 } }
      let count = allocations {
        for _ in 0..<5 { event.trigger() }
      }
      #expect(count == 0)
      #expect(calls == 1000)
      #expect(observers.allSatisfy { $0.calls == 10 })
      observers.forEach { event.removeObserver($0) }
      withExtendedLifetime(tokens) {}
    }

    @Test("M1: replacing a value in a mailbox allocates nothing")
    func mailboxReplacement() {
      let mailbox = SimpleMailbox<Int>(event: LazySimpleEvent(on: TestScheduler()))
      let count = allocations {
        for number in 1...1000 { mailbox.replace(number) }
      }
      #expect(count == 0)
      #expect(mailbox.take() == 1000)
    }

    @Test("C3, C9: an addition to a full collector allocates nothing")
    func collectorAddition() {
      for limit in [ElementLimit<Int>.newest(100), .oldest(100), .distinct(100)] {
        let scheduler = TestScheduler()
        let counts = Log()
        let collector = CoalescingCollector(on: scheduler, keeping: limit) { counts.add("\($0.count)") }
        collector.add(contentsOf: 0..<100)
        let count = allocations {
          for number in 100..<1100 { collector.add(number) }
        }
        #expect(count == 0, "\(limit)")
        scheduler.run()
        #expect(counts.entries == ["100"])
      }
    }

    @Test("C3, K1: an addition for a key whose elements are as many as the limit allocates nothing")
    func keyedAddition() {
      for policy in [CoalescingPolicy.nextTurn, .audit(.seconds(1))] {
        for limit in [ElementLimit<Int>.newest(100), .oldest(100)] {
          let scheduler = TestScheduler()
          let counts = Log()
          let collector = KeyedCollector<Int, Int>(on: scheduler, policy: policy, keeping: limit) {
            counts.add("\($0): \($1.count)")
          }
          collector.add(contentsOf: 0..<100, for: 1)
          let count = allocations {
            for number in 100..<1100 { collector.add(number, for: 1) }
          }
          #expect(count == 0, "\(policy), \(limit)")
          scheduler.run()
          #expect(counts.entries == ["1: 100"])
        }
      }
    }

    @Test("C3, L9: an addition to a full batch loop allocates nothing")
    func batchAddition() {
      for limit in [ElementLimit<Int>.newest(100), .oldest(100), .distinct(100)] {
        let loop = BatchLoop<Int>(on: TestScheduler(), keeping: limit) { _ in }
        loop.add(contentsOf: 0..<100)
        let count = allocations {
          for number in 100..<1100 { loop.add(number) }
        }
        #expect(count == 0)
      }
    }

    @Test("C3, C9: an element that a distinct collector already keeps allocates nothing")
    func repeatedAddition() {
      let scheduler = TestScheduler()
      let counts = Log()
      let collector = CoalescingCollector<Int>(on: scheduler, keeping: .distinct(100)) {
        counts.add("\($0.count)")
      }
      collector.add(contentsOf: 0..<100)
      let count = allocations {
        for number in 0..<1000 { collector.add(number % 100) }
      }
      #expect(count == 0)
      scheduler.run()
      #expect(counts.entries == ["100"])
    }

    @Test("R2: a call of a rate limiter allocates nothing, whether it is admitted or refused")
    func limiterCall() {
      let limiters = [
        RateLimiter(2000, per: .seconds(1), burst: 1000, on: TestScheduler()),
        RateLimiter(2000, per: .seconds(3600), burst: 1000, on: DispatchQueue(label: "clock")),
      ]
      for limiter in limiters {
        var admitted = 0
        let count = allocations {
          for _ in 0..<1000 where limiter.tryAcquire() { admitted += 1 }
        }
        #expect(count == 0)
        #expect(admitted == 1000, "the second thousand calls are refused")
      }
    }

    @Test("S6: asking an actor's scheduler where its caller is starts no task and allocates nothing")
    func knowledge() {
      let actors: [(any Actor, answers: Int)] = [
        (Plain(), 2000), (ActorOnExecutor(KnowingExecutor()), 2000), (ActorOnExecutor(MuteExecutor()), 0),
        (MainActor.shared, 2000),
      ]
      for (actor, expected) in actors {
        let scheduler = ActorScheduler(actor)
        var answers = 0
        let count = allocations {
          for _ in 0..<1000 where scheduler.isCurrent || scheduler.isKnownElsewhere { answers += 1 }
        }
        #expect(count == 0, "\(actor)")
        #expect(answers == expected, "\(actor)")
      }
    }

    @Test("CoalescingTrace: recording a delivery allocates nothing, before and after the trace is full")
    func recordedDelivery() throws {
      let scheduler = TestScheduler()
      let first = CoalescingTrace(capacity: 1)
      let event = withCoalescingMonitor(first) { LazySimpleEvent(on: scheduler) }
      event.trigger()
      scheduler.run()
      let delivery = try #require(first.deliveries.first)
      let trace = CoalescingTrace(capacity: 1500)
      let count = allocations {
        for _ in 0..<1000 { trace.delivered(delivery) }
      }
      #expect(count == 0)
      #expect(trace.overwrittenCount == 500)
    }

    private actor Plain {}

    private func allocations(_ body: () -> Void) -> Int {
      // The first call allocates objects that exist only once, such as metadata.
      body()
      let before = allocation_count()
      body()
      return allocation_count() - before
    }
  }
#endif
