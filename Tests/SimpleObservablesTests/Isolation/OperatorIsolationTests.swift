import Dispatch
import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// E9, V6: a main-actor function of an operator is flagged before a background queue calls it.
///
/// The queue delivers inside `sync`, on the thread of the test, so that the report reaches the test.
@Suite(.serialized) struct OperatorIsolationTests {
  private let queue = DispatchQueue(label: "background")
  private let calls = MisuseLog()
  private let subject = PublishSubject<Int>()

  /// Runs a block on the queue. Expects that a function that was registered on a line is flagged and then
  /// called.
  private func expectFlag(
    line: UInt, owner: String = "PublishSubject<Int>", sourceLocation: SourceLocation = #_sourceLocation,
    when run: () -> Void
  ) {
    withMisuseReported(calls.add) { queue.sync(execute: run) }
    #expect(calls.misusesBefore == (isDebug ? [1] : [0]), sourceLocation: sourceLocation)
    guard isDebug, let misuse = calls.all.first else { return }
    #expect(misuse.kind == .wrongIsolation, sourceLocation: sourceLocation)
    #expect(misuse.line == line, sourceLocation: sourceLocation)
    let site = "OperatorIsolationTests.swift:\(line)"
    for part in [
      "A block of \(owner)", "MainActor", "'observe(on:)' before an operator", "{ @Sendable … in … }", site,
    ] {
      #expect(misuse.message.contains(part), "\(misuse.message)", sourceLocation: sourceLocation)
    }
  }

  /// Subscribes to the output of an operator. Expects that the operator's function is flagged when the queue
  /// sends a value.
  private func expectFlag<Output>(
    _ observable: Observable<Output>, line: UInt, owner: String = "PublishSubject<Int>",
    sending values: [Int] = [1], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let token = observable.subscribe { _ in }
    expectFlag(line: line, owner: owner, sourceLocation: sourceLocation) {
      for value in values { subject.update(value) }
    }
    token.remove()
  }

  @Test("V6: a main-actor function of map is flagged off the main actor")
  func map() {
    let mapped = subject.map { @MainActor [calls] in
      calls.noteCall()
      return $0
    }
    expectFlag(mapped, line: #line - 4)
  }

  @Test("V6: a main-actor function of compactMap is flagged off the main actor")
  func compactMap() {
    let mapped = subject.compactMap { @MainActor [calls] value -> Int? in
      calls.noteCall()
      return value
    }
    expectFlag(mapped, line: #line - 4)
  }

  @Test("V6: a main-actor function of scan is flagged off the main actor")
  func scan() {
    let sums = subject.scan(0) { @MainActor [calls] in
      calls.noteCall()
      return $0 + $1
    }
    expectFlag(sums, line: #line - 4)
  }

  @Test("V6: a main-actor function of concatMap is flagged off the main actor")
  func concatMap() {
    let mapped = subject.concatMap { @MainActor [calls] in
      calls.noteCall()
      return Observable.just($0)
    }
    expectFlag(mapped, line: #line - 4)
  }

  @Test("V6: a main-actor function of catch is flagged off the main actor")
  func catching() {
    let caught = subject.catch { @MainActor [calls] _ in
      calls.noteCall()
      return .just(1)
    }
    let line: UInt = #line - 4
    let token = caught.subscribe { _ in }
    expectFlag(line: line) { subject.fail(Broken()) }
    token.remove()
  }

  @Test("V6: a main-actor function of filter is flagged off the main actor")
  func filter() {
    let filtered = subject.filter { @MainActor [calls] _ in
      calls.noteCall()
      return true
    }
    expectFlag(filtered, line: #line - 4)
  }

  @Test("V6: a main-actor comparison of removeDuplicates is flagged off the main actor")
  func removeDuplicates() {
    let distinct = subject.removeDuplicates { @MainActor [calls] _, _ in
      calls.noteCall()
      return true
    }
    expectFlag(distinct, line: #line - 4, sending: [1, 2])
  }

  @Test("V6: a main-actor function of flatMap is flagged off the main actor", arguments: [false, true])
  func flatMap(latest: Bool) {
    let transform: @MainActor (Int) -> Observable<Int> = { [calls] in
      calls.noteCall()
      return .just($0)
    }
    let parts = latest ? subject.flatMapLatest(transform) : subject.flatMap(transform)
    expectFlag(parts, line: #line - 1)
  }

  @Test("V6: a main-actor function after other operators is flagged with its own place")
  func chain() {
    let doubled = subject.map { $0 * 2 }.skip(0)
      .map { @MainActor [calls] in
        calls.noteCall()
        return $0
      }
      .take(5)
    expectFlag(doubled, line: #line - 5, owner: "Observable<Int>")
  }

  @Test("V6: a main-actor function of a derived variable is flagged off the main actor")
  func derivedVariable() {
    let variable = Variable(0)
    let line: UInt = #line + 3
    var derived: DerivedVariable<Int>?
    expectFlag(line: line, owner: "Variable<Int>") {
      derived = variable.map { @MainActor [calls] in
        calls.noteCall()
        return $0
      }
    }
    withExtendedLifetime(derived) {}
  }

  @Test("V6: a main-actor connection of create is flagged off the main actor")
  func connect() {
    let source = Observable<Int>.create { @MainActor [calls] _ in
      calls.noteCall()
      return { @Sendable in }
    }
    let line: UInt = #line - 4
    var token: (any SimpleEventToken)?
    expectFlag(line: line, owner: "Observable<Int>") { token = source.subscribe { _ in } }
    token?.remove()
  }

  @Test("V6: a main-actor block that disconnects a source is flagged off the main actor")
  func disconnect() {
    let source = Observable<Int>.create { _ in { @MainActor [calls] in calls.noteCall() } }
    let line: UInt = #line - 1
    let token = source.subscribe { _ in }
    expectFlag(line: line, owner: "Observable<Int>") { token.remove() }
  }

  @Test("V6: a main-actor block of a disposable is flagged off the main actor")
  func disposable() {
    let token = Disposable { @MainActor [calls] in calls.noteCall() }
    expectFlag(line: #line - 1, owner: "Disposable") { token.remove() }
  }

  @Test("V6: a transform in a main-actor class is main-actor isolated even if it touches nothing")
  func inferredIsolation() async {
    @MainActor final class Model {
      let line: UInt
      private let token: any SimpleEventToken

      init(_ subject: PublishSubject<Int>, _ calls: MisuseLog) {
        token = subject.map { _ in calls.noteCall() }.subscribe { @Sendable _ in }
        line = #line - 1
      }

      func stop() { token.remove() }
    }
    let model = await Model(subject, calls)
    expectFlag(line: model.line) { subject.update(1) }
    await model.stop()
  }

  @Test("V6: the remedy that the message shows works") @MainActor
  func remedy() {
    let token = subject.map { @Sendable value in value * 2 }.filter { @Sendable _ in true }
      .flatMap { @Sendable in .just($0) }.removeDuplicates { @Sendable in $0 == $1 }
      .subscribe { @Sendable [calls] _ in calls.noteCall() }
    withMisuseReported(calls.add) { queue.sync { [subject] in subject.update(1) } }
    #expect(calls.misusesBefore == [0])
    token.remove()
  }

  @Test("V6: functions without isolation are not flagged: key paths, operators, methods and plain closures")
  func nonisolatedFunctions() {
    let counts = subject.map(\.description).map(\.count).filter { $0 > 0 }
    let texts: Observable<String> = counts.map(\.description)
    let token = texts.removeDuplicates(by: ==).flatMapLatest(Observable.just)
      .subscribe { [calls] _ in calls.noteCall() }
    withMisuseReported(calls.add) { queue.sync { subject.update(1) } }
    #expect(calls.misusesBefore == [0])
    token.remove()
  }

  @Test("V6: main-actor functions are not flagged on the main actor") @MainActor
  func mainActor() {
    let source = Observable.create { [subject, calls] observer in
      calls.noteCall()
      let token = subject.subscribe { observer.next($0) }
      return {
        calls.noteCall()
        token.remove()
      }
    }
    let token = source.map { $0 * 2 }.filter { _ in true }.flatMap { .just($0) }
      .removeDuplicates { $0 == $1 }.subscribe { [calls] _ in calls.noteCall() }
    withMisuseReported(calls.add) {
      subject.update(1)
      token.remove()
    }
    #expect(calls.misusesBefore == [0, 0, 0])
  }

  @Test("V6: a function of an actor is not flagged on that actor, and is flagged off the actor")
  func actor() async {
    actor Home {
      private var sum: Int = 0

      func sums(of subject: PublishSubject<Int>, _ calls: MisuseLog) -> Observable<Int> {
        subject.map { value in
          calls.noteCall()
          self.sum += value
          return self.sum
        }
      }

      func observe(_ sums: Observable<Int>) -> any SimpleEventToken { sums.subscribe { @Sendable _ in } }
      func send(_ value: Int, to subject: PublishSubject<Int>) { subject.update(value) }
    }
    let home = Home()
    let token = await home.observe(home.sums(of: subject, calls))
    await home.send(1, to: subject)
    #expect(calls.misusesBefore == [0])
    withMisuseReported(calls.add) { subject.update(2) }
    #expect(calls.misusesBefore == (isDebug ? [0, 1] : [0, 0]))
    token.remove()
  }
}
