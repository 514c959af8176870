import Dispatch
import SimpleEvents
import SimpleObservables
import Synchronization
import TestSupport
import Testing

/// Values that several threads send at the same time. The thread sanitizer also checks these tests.
///
/// The subscribers write without a lock, because no subscriber is called by two threads at the same time
/// (V2).
struct ThreadTests {
  @Test("V1: all subscribers see one sequence with all values of concurrent senders")
  func oneSequence() {
    let subject = PublishSubject<Int>()
    let seen = [Seen(), Seen(), Seen()]
    let tokens = seen.map { seen in subject.subscribe { seen.values.append($0) } }
    let allArrived = DispatchSemaphore(value: 0)
    let last = subject.subscribe { _ in
      if seen[2].values.count == 4000 { allArrived.signal() }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<1000 {
        subject.update(thread * 1000 + number)
      }
    }
    // A global queue may deliver the last values after all updates have returned (V3).
    #expect(allArrived.waitOrGiveUp())
    #expect(seen[0].values == seen[1].values)
    #expect(seen[0].values == seen[2].values)
    #expect(seen[0].values.sorted() == Array(0..<4000))
    for thread in 0..<4 {
      let own = seen[0].values.filter { $0 / 1000 == thread }
      #expect(own == own.sorted(), "thread \(thread) keeps its order")
    }
    withExtendedLifetime((tokens, last)) {}
  }

  @Test("V1: a subscriber added while another thread sends sees the newest value and all later ones")
  func concurrentSubscription() {
    for _ in 0..<200 {
      let variable = Variable(0)
      let seen = Seen()
      let token: Guarded<(any SimpleEventToken)?> = Guarded(nil)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          for number in 1...50 { variable.value = number }
        } else {
          let new = variable.subscribe { seen.values.append($0) }
          token.withLock { $0 = new }
        }
      }
      // All deliveries have returned.
      #expect(seen.values.last == 50)
      #expect(seen.values == Array((seen.values.first ?? 0)...50))
      token.withLock { $0 }?.remove()
    }
  }

  @Test("H5: subscriptions, removals and updates may be concurrent")
  func concurrentChanges() {
    let variable = Variable(0)
    let calls = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<300 {
        let token = variable.map { $0 + 1 }.filter { _ in true }.subscribe { _ in
          calls.add(1, ordering: .relaxed)
        }
        variable.value = number
        if number % 2 == 0 { token.remove() }
      }
    }
    // A global queue may deliver the last values (V3). This value comes after them.
    let lastArrived = DispatchSemaphore(value: 0)
    let fence = variable.skip(1).filter { $0 == -1 }.subscribe { _ in lastArrived.signal() }
    variable.value = -1
    #expect(lastArrived.waitOrGiveUp())
    let before = calls.load(ordering: .relaxed)
    variable.value = -2
    #expect(calls.load(ordering: .relaxed) == before, "no subscriber is left")
    fence.remove()
    #expect(before > 0)
  }

  @Test("V1, V2: operators of several sources keep the order of concurrent senders")
  func concurrentSources() {
    let subjects = (0..<3).map { _ in PublishSubject<Int>() }
    let seen = [Seen(), Seen(), Seen(), Seen()]
    let hasEnded = DispatchSemaphore(value: 0)
    let onDone: @Sendable () -> Void = { hasEnded.signal() }
    let tokens = [
      Observable.merge(subjects).subscribe(onNext: { seen[0].values.append($0) }, onDone: onDone),
      Observable.combineLatest(subjects).subscribe(
        onNext: { seen[1].values.append($0.count) }, onDone: onDone),
      Observable.zip(subjects[0], subjects[1], limit: .max).subscribe(
        onNext: { first, second in seen[2].values.append(first - second) }, onDone: onDone),
      subjects[0].flatMap { _ in subjects[1] }.take(10_000).subscribe(
        onNext: { seen[3].values.append($0) }, onDone: onDone),
    ]
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      for number in 0..<100 {
        subjects[thread].update(number)
      }
      subjects[thread].finish()
    }
    // A global queue may deliver the last values (V3).
    for _ in seen { #expect(hasEnded.waitOrGiveUp()) }
    #expect(seen[0].values.count == 300)
    #expect(seen[1].values.last == 3)
    #expect(seen[2].values == Array(repeating: 0, count: 100))
    withExtendedLifetime(tokens) {}
  }

  @Test("V1, V2: concurrent senders keep their order through a chain of 200 operators")
  func concurrent() {
    let subject = PublishSubject<Int>()
    var chain: Observable<Int> = subject
    for _ in 0..<200 { chain = chain.map { @Sendable in $0 } }
    let seen = Seen()
    let hasEnded = DispatchSemaphore(value: 0)
    let token = chain.subscribe(
      onNext: { seen.values.append($0) }, onDone: { hasEnded.signal() })
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for number in 0..<50 { subject.update(thread * 50 + number) }
    }
    subject.finish()
    #expect(hasEnded.waitOrGiveUp())
    #expect(seen.values.sorted() == Array(0..<100))
    #expect(seen.values.filter { $0 < 50 } == Array(0..<50))
    withExtendedLifetime(token) {}
  }

  @Test("V2, create: a source may send from several threads")
  func concurrentSource() {
    let seen = Seen()
    let observable = Observable<Int>.create { observer in
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for _ in 0..<100 { observer.next(thread) }
      }
      observer.finish()
      return {}
    }
    let hasEnded = DispatchSemaphore(value: 0)
    let token = observable.subscribe(onNext: { seen.values.append($0) }, onDone: { hasEnded.signal() })
    #expect(hasEnded.waitOrGiveUp())
    #expect(seen.values.count == 400)
    token.remove()
  }

  @Test("V3: no subscriber is called under a lock", .timeLimit(.minutes(10)))
  func noLock() {
    let variable = Variable(0)
    let other = variable.subscribe { _ in }
    let replies: Guarded<[Int]> = Guarded([])
    let token = variable.skip(1).subscribe { value in
      guard value == 1 else { return }
      // During this delivery, another thread calls all operations that could take a lock.
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        variable.value = 2
        other.remove()
        variable.subscribe { _ in }.remove()
        let reply = variable.value
        replies.withLock { $0.append(reply) }
      }
      group.wait()
    }
    variable.value = 1
    #expect(replies.withLock { $0 } == [2])
    token.remove()
  }

  @Test("V3, observe: concurrent senders lose no value on a queue")
  func concurrentSendersOnQueue() async throws {
    let queue = DispatchQueue(label: "threads")
    let subject = PublishSubject<Int>()
    var iterator = subject.observe(on: queue).values(buffering: .unbounded).makeAsyncIterator()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<500 { subject.update(thread * 500 + number) }
    }
    subject.finish()
    var received: [Int] = []
    while let value = try await iterator.next() { received.append(value) }
    #expect(received.sorted() == Array(0..<2000))
  }

  @Test("E6: a subscription that is removed on its queue is not called afterwards")
  func removalOnQueue() {
    let queue = DispatchQueue(label: "removal")
    for _ in 0..<100 {
      let subject = PublishSubject<Int>()
      let isRemoved = Seen()
      let token = subject.subscribe(on: queue) { _ in
        #expect(isRemoved.values.isEmpty)
      }
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          for number in 0..<20 { subject.update(number) }
        } else {
          queue.sync {
            token.remove()
            isRemoved.values.append(1)
          }
        }
      }
      queue.sync {}
    }
  }

  @Test("V4, debounce: the pending value is delivered before the end that another thread sends")
  func endFromOtherThread() async throws {
    let queue = DispatchQueue(label: "debounce")
    for _ in 0..<100 {
      let subject = PublishSubject<Int>()
      var iterator = subject.debounce(.microseconds(1), on: queue).values(buffering: .unbounded)
        .makeAsyncIterator()
      subject.update(1)
      subject.update(2)
      subject.finish()
      var last: Int?
      while let value = try await iterator.next() { last = value }
      #expect(last == 2)
    }
  }

  @Test("DisposeBag: several threads may use it")
  func concurrentBag() {
    let removed = Atomic(0)
    let bag = DisposeBag()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for number in 0..<250 {
        bag.add(Disposable { removed.add(1, ordering: .relaxed) })
        if number % 50 == 0 { bag.disposeAll() }
      }
    }
    bag.disposeAll()
    #expect(removed.load(ordering: .relaxed) == 1000)
  }
}

/// The values that a subscriber has received. They are stored without a lock.
// SAFETY: `@unchecked`, because no subscriber is called by two threads at the same time (V2). The thread
// sanitizer checks this.
private final class Seen: @unchecked Sendable {
  var values: [Int] = []
}
