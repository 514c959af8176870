internal import SimpleEvents
internal import SimpleObservables

/// Values of several sources are combined for one subscriber.
enum ValuesCombined {
  static var workloads: [Workload] { [pair, array, merge, flatMap] }

  private static let count: Int = 1000

  /// The newest values of two sources are combined.
  private static var pair: Workload {
    Workload(
      "values-combine-two", unit: "value", sizes: [2], quickSize: 2, bars: [.ratio(2, to: Baseline.byHand)],
      subjects: [
        Subject("SimpleEvents combineLatest") { fixture in
          let sink = fixture.sink
          let sources = (Variable(0), Variable(0))
          let token = Observable.combineLatest(sources.0, sources.1)
            .subscribe(onNext: { pair in sink.take(pair.0 &+ pair.1) })
          return trial(deliveries: count, before: 1, keeping: token) { number in
            if number & 1 == 0 { sources.0.value = number } else { sources.1.value = number }
          }
        },
        Subject(Baseline.byHand) { fixture in
          let sink = fixture.sink
          let lists = (ValueList(), ValueList())
          let latest = LatestPair { sink.take($0 &+ $1) }
          lists.0.add { latest.setFirst($0) }
          lists.1.add { latest.setSecond($0) }
          return trial(deliveries: count, keeping: latest) { number in
            if number & 1 == 0 { lists.0.set(number) } else { lists.1.set(number) }
          }
        },
      ])
  }

  /// The newest values of many sources are combined.
  private static var array: Workload {
    Workload(
      "values-combine", unit: "value", sizes: [2, 10, 100, 1000], mainSize: 1000, quickSize: 10,
      bars: [.ratio(1.2, to: Baseline.byHand)],
      subjects: [
        Subject("SimpleEvents combineLatest") { fixture in
          let sink = fixture.sink
          let sources = (0..<fixture.n).map { Variable($0) }
          let token = Observable.combineLatest(sources).subscribe { sink.take($0[0]) }
          return trial(deliveries: count, before: 1, keeping: token) { sources[$0 % fixture.n].value = $0 }
        },
        Subject(Baseline.byHand) { fixture in
          let sink = fixture.sink
          let lists = (0..<fixture.n).map { _ in ValueList() }
          let latest = LatestArray(count: fixture.n) { sink.take($0[0]) }
          for (index, list) in lists.enumerated() { list.add { latest.set($0, at: index) } }
          return trial(deliveries: count, keeping: latest) { lists[$0 % fixture.n].set($0) }
        },
      ])
  }

  /// The values of many sources are merged.
  private static var merge: Workload {
    Workload(
      "values-merge", unit: "value", sizes: [2, 100, 10_000], mainSize: 10_000, quickSize: 100,
      subjects: [
        Subject("SimpleEvents merge") { fixture in
          let sink = fixture.sink
          let sources = (0..<fixture.n).map { _ in PublishSubject<Int>() }
          let token = Observable.merge(sources).subscribe { sink.take($0) }
          return trial(deliveries: count, keeping: token) { sources[$0 % fixture.n].update($0) }
        },
        Subject(Baseline.byHand) { fixture in
          let sink = fixture.sink
          let lists = (0..<fixture.n).map { _ in ValueList() }
          for list in lists { list.add { sink.take($0) } }
          return trial(deliveries: count, keeping: Box(lists)) { lists[$0 % fixture.n].set($0) }
        },
      ])
  }

  /// Connects an observable for each value of a subject, and then sends one value through each observable.
  /// The size is the number of observables.
  private static var flatMap: Workload {
    Workload(
      "values-flat-map", unit: "live observable", sizes: [1, 100, 10_000, 100_000], mainSize: 100_000,
      quickSize: 100,
      subjects: [
        Subject("SimpleEvents flatMap") { fixture in
          let sink = fixture.sink
          return Trial(operations: fixture.n, deliveries: { runs, _ in runs * fixture.n...runs * fixture.n })
          {
            let outer = PublishSubject<Int>()
            let inner = (0..<fixture.n).map { _ in PublishSubject<Int>() }
            let token = outer.flatMap { inner[$0] }.subscribe { sink.take($0) }
            for number in 0..<fixture.n { outer.update(number) }
            for source in inner { source.update(1) }
            for source in inner { source.finish() }
            withExtendedLifetime(token) {}
          }
        }
      ])
  }

  /// - Parameters:
  ///   - deliveries: The number of deliveries in each run.
  ///   - before: The number of deliveries before the first run.
  private static func trial(
    deliveries: Int, before: Int = 0, keeping object: AnyObject, _ send: @escaping (Int) -> Void
  ) -> Trial {
    Trial(
      operations: count, deliveries: { runs, _ in before + runs * deliveries...before + runs * deliveries },
      settle: { withExtendedLifetime(object) {} }
    ) {
      for number in 0..<count {
        send(number)
      }
    }
  }
}
