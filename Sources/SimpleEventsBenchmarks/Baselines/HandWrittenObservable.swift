/// Hand-written operators. An observable is an array of closures, and each operator creates another
/// observable.
///
/// It can be chained and shared. It has no tokens, no end, no thread safety and no order of nested updates.
final class HandWrittenObservable<Value> {
  private var closures: [(Value) -> Void] = []

  func subscribe(_ closure: @escaping (Value) -> Void) {
    closures.append(closure)
  }

  func send(_ value: Value) {
    for closure in closures {
      closure(value)
    }
  }

  func map<Output>(_ transform: @escaping (Value) -> Output) -> HandWrittenObservable<Output> {
    let output = HandWrittenObservable<Output>()
    subscribe { output.send(transform($0)) }
    return output
  }

  func filter(_ isIncluded: @escaping (Value) -> Bool) -> HandWrittenObservable {
    let output = HandWrittenObservable()
    subscribe { value in
      if isIncluded(value) {
        output.send(value)
      }
    }
    return output
  }
}

extension HandWrittenObservable where Value: Equatable {
  func distinct() -> HandWrittenObservable {
    let output = HandWrittenObservable()
    var last: Value?
    subscribe { value in
      if value != last {
        last = value
        output.send(value)
      }
    }
    return output
  }
}
