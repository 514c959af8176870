internal import SimpleEvents
internal import SimpleObservables

/// Values sent to subscribers.
enum Values {
  static var workloads: [Workload] { [variableSet, operatorChain] }

  /// The number of values that one run sends.
  private static let count: Int = 1000

  /// Sets a variable; the size is the number of subscribers.
  private static var variableSet: Workload {
    Workload(
      "variable-set", unit: "set", sizes: [1, 100], mainSize: 100, quickSize: 100, growsWithSize: true,
      bars: [.ratio(1.2, to: Baseline.closures)],
      subjects: [
        Subject("SimpleEvents Variable") { stage in
          let variable = Variable(0)
          let sink = stage.sink
          let tokens = Holder((0..<stage.n).map { _ in variable.subscribe { sink.take($0) } })
          // Each subscriber receives the first value when it subscribes.
          return trial(replayed: stage.n, deliveries: count * stage.n, keeping: tokens) {
            variable.value = $0
          }
        },
        Subject(Baseline.closures) { stage in
          let list = ValueList()
          let sink = stage.sink
          for _ in 0..<stage.n {
            list.add { sink.take($0) }
          }
          return trial(deliveries: count * stage.n, keeping: list) { list.set($0) }
        },
      ])
  }

  /// Sends a value through three operators to one subscriber.
  private static var operatorChain: Workload {
    Workload(
      "operator-chain", unit: "value", sizes: [1], quickSize: 1,
      bars: [.ratio(3, to: Baseline.handWritten)],
      subjects: [
        Subject("SimpleEvents map, filter, distinct") { stage in
          let subject = PublishSubject<Int>()
          let sink = stage.sink
          let token = subject.map { $0 &* 3 }.filter { $0 & 7 != 0 }.distinct().subscribe { sink.take($0) }
          return trial(deliveries: passing, keeping: token) { subject.update(stutter($0)) }
        },
        Subject(Baseline.handWritten) { stage in
          let source = HandWrittenObservable<Int>()
          let sink = stage.sink
          source.map { $0 &* 3 }.filter { $0 & 7 != 0 }.distinct().subscribe { sink.take($0) }
          return trial(deliveries: passing, keeping: source) { source.send(stutter($0)) }
        },
        Subject(Baseline.oneByHand) { stage in
          let chain = chain(stage)
          return trial(deliveries: passing, keeping: chain) { chain.update(stutter($0)) }
        },
        Subject(Baseline.oneByHandLocked) { stage in
          let chain = LockedHandWrittenChain(chain(stage))
          return trial(deliveries: passing, keeping: chain) { chain.update(stutter($0)) }
        },
      ])
  }

  private static func chain(_ stage: Stage) -> HandWrittenChain {
    let sink = stage.sink
    return HandWrittenChain(map: { $0 &* 3 }, filter: { $0 & 7 != 0 }, onNext: { sink.take($0) })
  }

  /// Replaces one number in eight by the number before it.
  @inline(__always)
  private static func stutter(_ number: Int) -> Int {
    number & 7 == 7 ? number - 1 : number
  }

  /// The number of values of a run that reach the end of the chain.
  ///
  /// Of each eight, the filter drops one and another equals the one before it.
  private static let passing: Int = count / 8 * 6

  /// - Parameters:
  ///   - replayed: The number of deliveries before the first run.
  ///   - deliveries: The number of deliveries in each run.
  private static func trial(
    replayed: Int = 0, deliveries: Int, keeping object: AnyObject, _ send: @escaping (Int) -> Void
  ) -> Trial {
    Trial(
      operations: count,
      deliveries: { runs, _ in replayed + runs * deliveries...replayed + runs * deliveries },
      settle: { withExtendedLifetime(object) {} }
    ) {
      for number in 0..<count {
        send(number)
      }
    }
  }
}
