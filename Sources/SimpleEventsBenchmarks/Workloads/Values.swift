internal import SimpleEvents
internal import SimpleObservables

/// Values are sent to subscribers.
enum Values {
  static var workloads: [Workload] { [oneSubscriber, subscribers, operatorChain, operators] }

  /// The number of values that one run sends if there is one subscriber.
  private static let count: Int = 1000

  /// Sets a variable with one subscriber.
  private static var oneSubscriber: Workload {
    Workload(
      "values-set-one", unit: "set", sizes: [1], quickSize: 1,
      bars: [.ratio(1, to: Baseline.closures)], subjects: [variable, closures])
  }

  /// Sets a variable. The size is the number of subscribers.
  private static var subscribers: Workload {
    Workload(
      "values-set", unit: "delivery", sizes: [1, 10, 100, 1000, 10_000, 100_000], mainSize: 100,
      quickSize: 100, bars: [.ratio(0.25, to: Baseline.closures)], subjects: [variable, closures])
  }

  private static var variable: Subject {
    Subject("SimpleEvents Variable") { fixture in
      let variable = Variable(0)
      let counts = CallCounts(fixture.n)
      let tokens = Box(
        (0..<fixture.n).map { index in
          let word = counts[index]
          return variable.subscribe { word.take($0) }
        })
      // Each subscriber receives the first value when it subscribes.
      return trial(fixture, counts, replayed: fixture.n, keeping: tokens) { variable.value = $0 }
    }
  }

  private static var closures: Subject {
    Subject(Baseline.closures) { fixture in
      let list = ValueList()
      let counts = CallCounts(fixture.n)
      for index in 0..<fixture.n {
        let word = counts[index]
        list.add { word.take($0) }
      }
      return trial(fixture, counts, keeping: list) { list.set($0) }
    }
  }

  /// A trial that sends as many values as are needed for at least a thousand deliveries.
  ///
  /// - Parameter replayed: The number of deliveries before the first run.
  private static func trial(
    _ fixture: Fixture, _ counts: CallCounts, replayed: Int = 0, keeping object: AnyObject,
    _ send: @escaping (Int) -> Void
  ) -> Trial {
    let rounds = max(1, count / fixture.n)
    let deliveries = rounds * fixture.n
    return Trial(
      operations: deliveries,
      deliveries: { runs, _ in replayed + runs * deliveries...replayed + runs * deliveries },
      settle: {
        fixture.sink.add(counts.sum)
        withExtendedLifetime(object) {}
      }
    ) {
      for number in 0..<rounds {
        send(number)
      }
    }
  }

  /// Sends a value through three operators to one subscriber.
  private static var operatorChain: Workload {
    Workload(
      "values-operators", unit: "value", sizes: [1], quickSize: 1,
      bars: [.ratio(0.25, to: Baseline.handWritten)],
      subjects: [
        Subject("SimpleEvents map, filter, removeDuplicates") { fixture in
          let subject = PublishSubject<Int>()
          let sink = fixture.sink
          let token = subject.map { $0 &* 3 }.filter { $0 & 7 != 0 }.removeDuplicates()
            .subscribe { sink.take($0) }
          return trial(deliveries: passing, keeping: token) { subject.update(stutter($0)) }
        },
        Subject(Baseline.handWritten) { fixture in
          let source = HandWrittenObservable<Int>()
          let sink = fixture.sink
          source.map { $0 &* 3 }.filter { $0 & 7 != 0 }.distinct().subscribe { sink.take($0) }
          return trial(deliveries: passing, keeping: source) { source.send(stutter($0)) }
        },
        Subject(Baseline.oneByHand) { fixture in
          let chain = chain(fixture)
          return trial(deliveries: passing, keeping: chain) { chain.update(stutter($0)) }
        },
        Subject(Baseline.oneByHandLocked) { fixture in
          let chain = LockedHandWrittenChain(chain(fixture))
          return trial(deliveries: passing, keeping: chain) { chain.update(stutter($0)) }
        },
      ])
  }

  /// Sends a value through a chain. The size is the number of operators.
  private static var operators: Workload {
    Workload(
      "values-chain", unit: "operator", sizes: [1, 10, 100], mainSize: 100, quickSize: 10,
      bars: [.ratio(0.9, to: Baseline.handWritten), .ratio(0.9, to: Baseline.handWritten, at: 10)],
      subjects: [
        Subject("SimpleEvents map") { fixture in
          let subject = PublishSubject<Int>()
          let sink = fixture.sink
          let chain = (0..<fixture.n).reduce(subject.asObservable()) { chain, _ in chain.map { $0 &+ 1 } }
          return trial(perOperator: fixture, keeping: chain.subscribe { sink.take($0) }) {
            subject.update($0)
          }
        },
        Subject(Baseline.handWritten) { fixture in
          let source = HandWrittenObservable<Int>()
          let sink = fixture.sink
          (0..<fixture.n).reduce(source) { chain, _ in chain.map { $0 &+ 1 } }.subscribe { sink.take($0) }
          return trial(perOperator: fixture, keeping: source) { source.send($0) }
        },
      ])
  }

  private static func trial(
    perOperator fixture: Fixture, keeping object: AnyObject, _ send: @escaping (Int) -> Void
  ) -> Trial {
    let base = trial(deliveries: count, keeping: object, send)
    return Trial(
      operations: count * fixture.n, deliveries: base.deliveries, settle: base.settle, run: base.run)
  }

  private static func chain(_ fixture: Fixture) -> HandWrittenChain {
    let sink = fixture.sink
    return HandWrittenChain(map: { $0 &* 3 }, filter: { $0 & 7 != 0 }, onNext: { sink.take($0) })
  }

  /// Replaces one number in eight by the previous number.
  @inline(__always)
  private static func stutter(_ number: Int) -> Int {
    number & 7 == 7 ? number - 1 : number
  }

  /// The number of values of a run that reach the end of the chain.
  ///
  /// Of each eight values, the filter drops one, and another value equals the previous one.
  private static let passing: Int = count / 8 * 6

  /// - Parameter deliveries: The number of deliveries in each run.
  private static func trial(
    deliveries: Int, keeping object: AnyObject, _ send: @escaping (Int) -> Void
  ) -> Trial {
    Trial(
      operations: count, deliveries: { runs, _ in runs * deliveries...runs * deliveries },
      settle: { withExtendedLifetime(object) {} }
    ) {
      for number in 0..<count {
        send(number)
      }
    }
  }
}
