internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleObservables

/// A subject that counts the connections to it.
final class Source {
  let subject: PublishSubject<Int> = PublishSubject()
  private(set) var connections: Int = 0
  private(set) var open: Int = 0

  var observable: Observable<Int> {
    Observable.create { [self] observer in
      connections += 1
      open += 1
      step()
      let token = subject.subscribe { observer.next($0) }
      return { [self] in
        token.remove()
        open -= 1
        expect(open >= 0, "V5: a source is disconnected once")
      }
    }
  }
}
