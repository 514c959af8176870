import Foundation
import SimpleEvents
import SimpleObservables
import SimpleObservablesFoundation
import TestSupport
import Testing

/// The examples of Snail's README, written with this package's API.
struct SnailSamples {
  let disposer: Disposer = Disposer()
  let log: Log = Log()

  @Test("Snail: subscribe to values, errors and the end")
  func subscribe() {
    let observable = PublishSubject<String>()

    observable.subscribe(
      onNext: { thing in log.add(thing) },
      onError: { error in log.add("\(error)") },
      onDone: { log.add("done") }
    ).disposed(by: disposer)

    // Closures are optional.
    observable.subscribe(onError: { error in log.add("\(error)") }).disposed(by: disposer)

    observable.update("thing")
    observable.fail(Broken())
    #expect(log.entries == ["thing", "broken", "broken"])
  }

  @Test("Snail: dispose of plain closures")
  func closures() {
    let closureCall = Closure { log.add("We ♥ closures") }
    closureCall.disposed(by: disposer)

    closureCall.closure?()
    disposer.disposeAll()
    closureCall.closure?()
    #expect(log.entries == ["We ♥ closures"])
  }

  @Test("Snail: the example of variables works")
  func variables() {
    let optionalString = Variable<String?>(nil)
    optionalString.asObservable().subscribe(
      onNext: { string in log.add(string ?? "none") }
    ).disposed(by: disposer)

    optionalString.value = "something"

    let int = Variable(12)
    int.subscribe { int in log.add("\(int)") }.disposed(by: disposer)

    int.value = 42
    #expect(log.entries == ["none", "something", "12", "42"])
  }

  @Test("Snail: one variable follows another")
  func bind() {
    let viewModel = ViewModel()
    let isLoaderAnimating = Variable(false)
    isLoaderAnimating.bind(to: viewModel.isLoading).disposed(by: disposer)

    viewModel.isLoading.value = true
    #expect(isLoaderAnimating.value)
  }

  @Test("Snail: merge sends the values of both sources")
  func merge() {
    let userCreated = PublishSubject<User>()
    let userUpdated = PublishSubject<User>()
    Observable.merge(userCreated, userUpdated).subscribe(
      onNext: { user in log.add(user.name) }
    ).disposed(by: disposer)

    userCreated.update(User(name: "Russell"))
    userUpdated.update(User(name: "Lee"))
    #expect(log.entries == ["Russell", "Lee"])
  }

  @Test("Snail: combine the latest values")
  func combineLatest() {
    let isMapLoading = PublishSubject<Bool>()
    let isListLoading = PublishSubject<Bool>()
    Observable.combineLatest(isMapLoading, isListLoading).subscribe(
      onNext: { isMapLoading, isListLoading in log.add("\(isMapLoading) \(isListLoading)") }
    ).disposed(by: disposer)

    isMapLoading.update(true)
    isListLoading.update(true)  // triggers
    #expect(log.entries == ["true true"])
  }

  @Test("Snail: the examples of just, fail and replay work")
  func justFailReplay() {
    let just = Observable.just(1)  // sends 1 to each subscriber
    let failure = Observable<Int>.fail(Broken())  // fails for each subscriber
    let replay = ReplaySubject<Int>(bufferSize: 5)  // sends the last 5 values to each new subscriber

    for value in 1...10 {
      replay.update(value)
    }
    for observable in [just, failure, replay] {
      observable.log(into: log).disposed(by: disposer)
    }
    #expect(log.entries == ["1", "done", "error broken", "6", "7", "8", "9", "10"])
  }

  @Test("Snail: the examples of map, filter and flatMap work")
  func operators() {
    let observable = PublishSubject<Int>()
    let numbers = observable.map { "Number: \($0)" }
    let even = observable.filter { $0 % 2 == 0 }

    let fetchTrigger = PublishSubject<Void>()
    let fetched = fetchTrigger.flatMap { Variable(100).asObservable() }

    numbers.log(into: log).disposed(by: disposer)
    even.log(into: log).disposed(by: disposer)
    fetched.log(into: log).disposed(by: disposer)

    observable.update(1)
    observable.update(2)
    fetchTrigger.update()
    #expect(log.entries == ["Number: 1", "Number: 2", "2", "100"])
  }

  @Test("Snail: subscribe on the main queue")
  @MainActor func mainQueue() {
    let observable = PublishSubject<Int>()
    var received: [Int] = []
    observable.subscribe(on: .main) { received.append($0) }.disposed(by: disposer)

    // The test is already on the main queue, so the delivery is synchronous.
    observable.update(1)
    #expect(received == [1])
  }

  @Test("Snail: the example of notifications works")
  func notifications() {
    let center = NotificationCenter()
    let keyboardWillShow = Notification.Name("keyboardWillShow")

    center.observe(keyboardWillShow)
      .subscribe { [log] notification in log.add(notification.name.rawValue) }
      .disposed(by: disposer)

    center.post(name: keyboardWillShow, object: nil)
    #expect(log.entries == ["keyboardWillShow"])
  }

  @Test("Snail: wait for the first value")
  func first() async throws {
    let observable = Observable.just(1)
    #expect(try await observable.first() == 1)
    let result = await observable.firstResult()
    #expect(try result.get() == 1)
  }
}

private struct ViewModel {
  let isLoading: Variable<Bool> = Variable(false)
}

private struct User {
  var name: String
}
