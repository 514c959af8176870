import SimpleObservables

/// An operator on two sources, and a naive model of the operator.
enum OperatorUnderTest: CaseIterable {
  case compactMap, scan, startWith, concatMap, withLatestFrom, `catch`, retry, mergeIndexed

  /// Returns the operator, applied to two subjects.
  func observable(_ a: PublishSubject<Int>, _ b: PublishSubject<Int>) -> Observable<String> {
    switch self {
    case .compactMap: a.compactMap { $0 % 3 == 0 ? nil : $0 * 10 }.map { "\($0)" }
    case .scan: a.scan(1) { $0 * 2 + $1 }.map { "\($0)" }
    case .startWith: a.startWith(7, 8).map { "\($0)" }
    case .concatMap:
      a.concatMap { value -> Observable<Int> in
        switch value % 4 {
        case 0: .empty()
        case 1: .just(value)
        case 2: b
        default: Observable.just(value).startWith(-value)
        }
      }.map { "\($0)" }
    case .withLatestFrom: a.withLatestFrom(b).map { "\($0.0) \($0.1)" }
    case .catch: a.catch { _ in b }.map { "\($0)" }
    case .retry: a.flatMap { $0 % 4 == 3 ? .fail(Broken()) : .just($0) }.retry(2).map { "\($0)" }
    case .mergeIndexed: Observable.mergeIndexed([a, b]).map { "\($0.index) \($0.value)" }
    }
  }

  /// Returns the outputs of the naive model. The output "error" or "done" is the last.
  func model(_ program: ValueProgram) -> [String] {
    var model = NaiveOperator(self)
    model.begin()
    for step in program.steps where !model.isOver { model.take(step) }
    return model.outputs
  }
}

/// An operator that stores all events in lists, without queues, subscriptions or threads.
struct NaiveOperator {
  private let kind: OperatorUnderTest
  private(set) var outputs: [String] = []
  /// The end of each source; nil before it.
  private var ends: [ValueProgram.Event?] = [nil, nil]
  private var values: [[Int]] = [[], []]
  /// For `concatMap`: the values whose observables are not connected, and whether `b` is connected.
  private var queued: [Int] = []
  private var isInB = false
  private var errors = 0

  init(_ kind: OperatorUnderTest) { self.kind = kind }

  var isOver: Bool { outputs.last == "error" || outputs.last == "done" }

  mutating func begin() {
    if kind == .startWith { outputs = ["7", "8"] }
  }

  mutating func take(_ step: ValueProgram.Step) {
    if case .next(let value) = step.event {
      values[step.source].append(value)
    } else {
      ends[step.source] = step.event
    }
    switch kind {
    case .compactMap, .scan, .startWith:
      if step.source == 0 { takeOne(step.event) }
    case .concatMap: takeConcatenated(step)
    case .withLatestFrom:
      if step.event == .fail {
        outputs.append("error")
      } else if step.source == 0 {
        if case .next(let value) = step.event {
          if let other = values[1].last { outputs.append("\(value) \(other)") }
        } else {
          outputs.append("done")
        }
      }
    case .catch: takeCaught(step)
    case .retry:
      guard step.source == 0 else { return }
      switch step.event {
      case .next(let value) where value % 4 == 3:
        errors += 1
        if errors == 3 { outputs.append("error") }
      case .next(let value): outputs.append("\(value)")
      case .finish: outputs.append("done")
      case .fail: outputs.append("error")
      }
    case .mergeIndexed:
      switch step.event {
      case .next(let value): outputs.append("\(step.source) \(value)")
      case .fail: outputs.append("error")
      case .finish: if ends == [.finish, .finish] { outputs.append("done") }
      }
    }
  }

  private mutating func takeOne(_ event: ValueProgram.Event) {
    switch event {
    case .finish: outputs.append("done")
    case .fail: outputs.append("error")
    case .next(let value):
      switch kind {
      case .compactMap: if value % 3 != 0 { outputs.append("\(value * 10)") }
      case .scan: outputs.append("\(values[0].reduce(1) { $0 * 2 + $1 })")
      default: outputs.append("\(value)")
      }
    }
  }

  private mutating func takeCaught(_ step: ValueProgram.Step) {
    let isCaught = ends[0] == .fail
    let end = isCaught ? ends[1] : ends[0]
    if step.source == (isCaught ? 1 : 0), case .next(let value) = step.event { outputs.append("\(value)") }
    if let end { outputs.append(end == .finish ? "done" : "error") }
  }

  private mutating func takeConcatenated(_ step: ValueProgram.Step) {
    if step.source == 0, step.event == .fail { return outputs.append("error") }
    if step.source == 0, case .next(let value) = step.event { queued.append(value) }
    if step.source == 1, isInB {
      if case .next(let value) = step.event { outputs.append("\(value)") }
      if step.event == .finish { isInB = false }
      if step.event == .fail { return outputs.append("error") }
    }
    while !isInB, !queued.isEmpty {
      let value = queued.removeFirst()
      switch value % 4 {
      case 0: break
      case 1: outputs.append("\(value)")
      case 3: outputs += ["\(-value)", "\(value)"]
      default:
        if ends[1] == .fail { return outputs.append("error") }
        isInB = ends[1] == nil
      }
    }
    if ends[0] == .finish, !isInB { outputs.append("done") }
  }
}
