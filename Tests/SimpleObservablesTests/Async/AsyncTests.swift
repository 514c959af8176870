import SimpleEvents
import SimpleObservables
import Testing

struct AsyncTests {
  @Test("V3, values: each element is the newest value")
  func newestValue() async throws {
    let variable = Variable(1)
    var iterator = variable.values.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    variable.value = 2
    variable.value = 3
    #expect(try await iterator.next() == 3)
    variable.value = 4
    variable.finish()
    #expect(try await iterator.next() == 4)
    #expect(try await iterator.next() == nil)
  }

  @Test("values: with a backlog a loop receives more than the newest value")
  func backlog() async throws {
    let subject = PublishSubject<Int>()
    var two = subject.values(buffering: .newest(2)).makeAsyncIterator()
    var all = subject.values(buffering: .unbounded).makeAsyncIterator()
    for value in 1...4 {
      subject.update(value)
    }
    subject.finish()
    var received: [[Int]] = [[], []]
    while let value = try await two.next() { received[0].append(value) }
    while let value = try await all.next() { received[1].append(value) }
    #expect(received == [[3, 4], [1, 2, 3, 4]])
  }

  @Test("values: a nil value does not end the loop, and an error is thrown once")
  func optionals() async throws {
    let subject = PublishSubject<Int?>()
    var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    subject.update(1)
    subject.update(nil)
    subject.fail(Broken())
    #expect(try await iterator.next() == .some(1))
    #expect(try await iterator.next() == .some(nil))
    await #expect(throws: Broken.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test("V5, values: a cancelled task receives the values that were sent before, and then the end")
  func cancelledWithValues() async throws {
    let subject = PublishSubject<Int>()
    let values = subject.values(buffering: .unbounded)
    let task = Task {
      var iterator = values.makeAsyncIterator()
      subject.update(1)
      subject.update(2)
      withUnsafeCurrentTask { $0?.cancel() }
      let first = try await iterator.next()
      subject.update(3)
      return [first, try await iterator.next(), try await iterator.next()]
    }
    #expect(try await task.value == [1, 2, nil])
  }

  @Test("values: each iteration has a subscription of its own")
  func iterations() async throws {
    let replay = ReplaySubject<Int>(bufferSize: 3)
    for value in 1...3 { replay.update(value) }
    replay.finish()
    let values = replay.values(buffering: .unbounded)
    for _ in 0..<2 {
      var received: [Int] = []
      for try await value in values { received.append(value) }
      #expect(received == [1, 2, 3])
    }
  }

  @Test("V4, values: an error is thrown after the values that were sent before it")
  func error() async throws {
    let subject = PublishSubject<Int>()
    var iterator = subject.values.makeAsyncIterator()
    subject.update(1)
    subject.fail(Broken())
    #expect(try await iterator.next() == 1)
    await #expect(throws: Broken.self) { try await iterator.next() }
  }

  @Test("V5, values: a loop that ends early removes its subscription")
  func earlyEnd() async throws {
    let disconnected = Guarded(0)
    // Without this reference to the observer, the observer's deallocation would disconnect the source.
    let source: Guarded<Observer<Int>?> = Guarded(nil)
    let observable = Observable<Int>.create { observer in
      source.withLock { $0 = observer }
      observer.next(1)
      return { disconnected.withLock { $0 += 1 } }
    }
    for try await _ in observable.values { break }
    #expect(disconnected.withLock { $0 } == 1)
  }

  @Test("V5, values: cancellation ends the loop and removes the subscription")
  func cancellation() async throws {
    let source = SilentSource()
    let task = Task {
      var count = 0
      for try await _ in source.observable.values { count += 1 }
      return count
    }
    await source.connection()
    task.cancel()
    await source.disconnection()
    #expect(try await task.value == 0)
  }

  @Test("V5, first: waits for a value, and then removes its subscription")
  func first() async throws {
    let (connected, connection) = AsyncStream<Observer<Int>>.makeStream()
    let disconnected = Guarded(0)
    let observable = Observable<Int>.create { observer in
      connection.yield(observer)
      return { disconnected.withLock { $0 += 1 } }
    }
    async let first = observable.first()
    let observer = try #require(await connected.first { _ in true })
    observer.next(7)
    observer.next(8)
    #expect(try await first == 7)
    #expect(disconnected.withLock { $0 } == 1)
  }

  @Test("first: is the first value that is sent or replayed, and nil without values")
  func firstValue() async throws {
    let replay = ReplaySubject<Int>(bufferSize: 2)
    replay.update(1)
    replay.update(2)
    #expect(try await replay.first() == 1)
    #expect(try await Variable(3).first() == 3)
    #expect(try await Observable<Int>.empty().first() == nil)
    await #expect(throws: Broken.self) { try await Observable<Int>.fail(Broken()).first() }
  }

  @Test("firstResult: is the value, nil or the error")
  func firstResult() async throws {
    let value = await Observable.just(1).firstResult()
    #expect(try value.get() == 1)
    let none = await Observable<Int>.empty().firstResult()
    #expect(try none.get() == nil)
    let error = await Observable<Int>.fail(Broken()).firstResult()
    #expect(throws: Broken.self) { try error.get() }
  }

  @Test("V5, first: throws when its task is cancelled, and removes the subscription")
  func firstCancellation() async {
    let source = SilentSource()
    let task = Task { try await source.observable.first() }
    await source.connection()
    task.cancel()
    await source.disconnection()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("V4, values: a deallocated subject ends the loop")
  func deallocatedSubject() async throws {
    var subject: PublishSubject<Int>? = PublishSubject()
    var iterator = subject?.asObservable().values.makeAsyncIterator()
    subject?.update(1)
    subject = nil
    #expect(try await iterator?.next() == 1)
    #expect(try await iterator?.next() == nil)
  }

  @Test("V6, values: a loop on the main actor stays on the main actor")
  @MainActor func mainActor() async throws {
    let variable = Variable(1)
    for try await value in variable.values {
      MainActor.assertIsolated()
      if value == 2 { break }
      variable.value = 2
    }
  }
}
