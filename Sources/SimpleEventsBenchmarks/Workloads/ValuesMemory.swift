internal import Dispatch
internal import Foundation
internal import SimpleEvents
internal import SimpleObservables

/// The heap bytes of subjects and subscribers, and the time to create and release them.
enum ValuesMemory {
  static var workloads: [Workload] { [subject, subscriber, coalesced, subjects, burst, construct] }

  private static let sizes: [Int] = [1000, 10_000]

  private static func workload(_ name: String, unit: String, bytes: Double, _ subjects: [Subject]) -> Workload
  {
    Workload(
      name, unit: unit, sizes: sizes, mainSize: 10_000, quickSize: 1000,
      bars: [.count(.heapBytesEach, atMost: bytes)], subjects: subjects)
  }

  private static var subject: Workload {
    workload(
      "values-memory-subject", unit: "subject", bytes: 114,
      [
        Subject("SimpleEvents PublishSubject") { fixture in making(fixture) { _ in PublishSubject<Int>() } },
        Subject("SimpleEvents Variable") { fixture in making(fixture) { Variable($0) } },
        Subject("SimpleEvents Variable of a reference") { fixture in
          let sink = fixture.sink
          return making(fixture) { _ in Variable(sink) }
        },
        Subject("SimpleEvents Variable of a text") { fixture in making(fixture) { _ in Variable("") } },
      ])
  }

  /// There are many subjects, because the spare capacity of one list of subscribers varies from run to run.
  private static var subscriber: Workload {
    workload(
      "values-memory-subscriber", unit: "subscriber", bytes: 144,
      [
        Subject("SimpleEvents subscriber") { fixture in
          // All subscribers share one closure, so that the memory of its captures is not counted.
          let sink = fixture.sink
          let handler = Handler<Int> { sink.take($0) }
          let subjects = (0..<fixture.n / 100).map { _ in PublishSubject<Int>() }
          return making(fixture) { number in handler.subscribe(to: subjects[number / 100]) }
        },
        Subject("SimpleEvents subscriber, a closure each") { fixture in
          let sink = fixture.sink
          let subjects = (0..<fixture.n / 100).map { _ in PublishSubject<Int>() }
          return making(fixture) { number in subjects[number / 100].subscribe { sink.take($0) } }
        },
        Subject(Baseline.notificationCenter) { fixture in
          let center = NotificationCenter()
          let sink = fixture.sink
          return making(fixture) { _ in
            center.addObserver(forName: Notification.Name("didChange"), object: nil, queue: nil) { _ in
              sink.hit()
            }
          }
        },
      ])
  }

  /// A closure that several subscriptions share. The type is generic, because the compiler would otherwise
  /// wrap the closure in another closure for each subscription.
  private struct Handler<Value> {
    let call: @isolated(any) (Value) -> Void

    func subscribe(to subject: PublishSubject<Value>) -> any SimpleEventToken { subject.subscribe(call) }
  }

  private static var coalesced: Workload {
    workload(
      "values-memory-coalesced", unit: "coalesced subscriber", bytes: 400,
      [
        Subject("SimpleEvents coalesced") { fixture in
          let sink = fixture.sink
          let queue = fixture.queue()
          let subjects = (0..<fixture.n / 100).map { _ in PublishSubject<Int>() }
          return making(fixture) { number in
            subjects[number / 100].coalesced(on: queue, policy: .nextTurn).subscribe { sink.take($0) }
          }
        }
      ])
  }

  private static func making<Thing>(_ fixture: Fixture, _ make: @escaping (Int) -> Thing) -> Trial {
    let things = Box<Thing>(capacity: fixture.n)
    fixture.markHeap()
    return Trial(operations: fixture.n, isRepeatable: false, deliveries: nil) {
      for number in 0..<fixture.n {
        things.items.append(make(number))
      }
    }
  }

  /// Each of very many subjects has one subscriber and sends one value.
  private static var subjects: Workload {
    Workload(
      "values-many-subjects", unit: "subject", sizes: [1000, 10_000, 100_000], mainSize: 100_000,
      quickSize: 1000, bars: [.count(.heapBytesEach, atMost: 300)],
      subjects: [
        Subject("SimpleEvents PublishSubject") { fixture in
          let sink = fixture.sink
          let subjects = Box<PublishSubject<Int>>(capacity: fixture.n)
          let tokens = Box<any SimpleEventToken>(capacity: fixture.n)
          fixture.markHeap()
          for _ in 0..<fixture.n {
            let subject = PublishSubject<Int>()
            subjects.items.append(subject)
            tokens.items.append(subject.subscribe { sink.take($0) })
          }
          return Trial(
            operations: fixture.n, deliveries: { runs, _ in runs * fixture.n...runs * fixture.n },
            settle: { withExtendedLifetime(tokens) {} }
          ) {
            for subject in subjects.items { subject.update(1) }
          }
        }
      ])
  }

  /// Nested updates come in a burst, and their memory is freed afterwards.
  private static var burst: Workload {
    Workload(
      "values-burst", unit: "value", sizes: [10_000, 100_000, 1_000_000], mainSize: 1_000_000,
      quickSize: 10_000, bars: [.count(.heapBytesEach, atMost: 1)],
      subjects: [
        Subject("SimpleEvents PublishSubject") { fixture in
          let sink = fixture.sink
          let subject = PublishSubject<Int>()
          let token = subject.subscribe { [unowned subject] value in
            sink.hit()
            guard value == 0 else { return }
            for number in 1...fixture.n { subject.update(number) }
          }
          fixture.markHeap()
          return Trial(
            operations: fixture.n, deliveries: { runs, _ in runs * (fixture.n + 1)...runs * (fixture.n + 1) },
            settle: { withExtendedLifetime(token) {} }
          ) {
            subject.update(0)
          }
        }
      ])
  }

  /// A subject is created with one subscriber, and both are released.
  private static var construct: Workload {
    Workload(
      "values-construct", unit: "subject and subscriber", sizes: sizes, quickSize: 1000,
      baseline: Baseline.tokens, bars: [.ratio(1.25, to: Baseline.tokens)],
      subjects: [
        Subject("SimpleEvents PublishSubject") { fixture in
          let sink = fixture.sink
          return Construct.trial(fixture) {
            let subject = PublishSubject<Int>()
            return (subject.subscribe { sink.take($0) }, subject)
          }
        },
        Subject(Baseline.tokens) { fixture in
          let sink = fixture.sink
          return Construct.trial(fixture) {
            let list = TokenList()
            return (list.add { sink.take($0) }, list)
          }
        },
        Subject(Baseline.notificationCenter) { fixture in
          let name = Notification.Name("didChange")
          let sink = fixture.sink
          return Construct.trial(fixture, removing: { $1.removeObserver($0) }) {
            let center = NotificationCenter()
            return (center.addObserver(forName: name, object: nil, queue: nil) { _ in sink.hit() }, center)
          }
        },
      ])
  }
}
