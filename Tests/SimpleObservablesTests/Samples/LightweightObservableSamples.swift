import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// The examples of LightweightObservable's README, written with this package's API.
struct LightweightObservableSamples {
  @Test("LightweightObservable: create and update a publish subject")
  func publishSubject() {
    let userLocationSubject = PublishSubject<Location>()
    let token = userLocationSubject.subscribe { location in #expect(location.latitude == 52.5) }

    userLocationSubject.update(Location(latitude: 52.5, longitude: 13.4))
    token.remove()
  }

  @Test("LightweightObservable: create and update a variable, and show it read-only")
  func readOnlyVariable() {
    let formattedTimeSubject = Variable("4:20 PM")
    var formattedTime: Observable<String> { formattedTimeSubject }

    formattedTimeSubject.value = "4:21 PM"
    // or
    formattedTimeSubject.update("4:21 PM")

    // For tests only: subscribe in order not to miss any.
    #expect(formattedTime.value == "4:21 PM")
  }

  @Test("LightweightObservable: subscribe with a closure")
  func subscribe() {
    let formattedTime = Variable("4:20 PM")
    let timeLabel = Label()
    let log = Log()

    let token = formattedTime.subscribe { [weak timeLabel] newFormattedTime, oldFormattedTime in
      timeLabel?.text = newFormattedTime
      log.add("\(oldFormattedTime ?? "-") -> \(newFormattedTime)")
    }

    formattedTime.value = "4:21 PM"
    #expect(timeLabel.text == "4:21 PM")
    #expect(log.entries == ["- -> 4:20 PM", "4:20 PM -> 4:21 PM"])
    token.remove()
  }

  @Test("LightweightObservable: bind to properties and keep the tokens in a bag")
  func bind() {
    let formattedTime = Variable("4:20 PM")
    let formattedDate = Variable("20 April")
    let (timeLabel, dateLabel) = (Label(), Label())
    var disposeBag = DisposeBag()

    formattedTime
      .bind(to: \.text, on: timeLabel)
      .disposed(by: &disposeBag)

    formattedDate
      .bind(to: \.text, on: dateLabel)
      .disposed(by: &disposeBag)

    #expect(timeLabel.text == "4:20 PM")
    #expect(dateLabel.text == "20 April")
  }

  @Test("LightweightObservable: subscribe to distinct values")
  func subscribeDistinct() {
    let formattedTime = Variable("4:20 PM")
    var updates = 0
    let token = formattedTime.subscribeDistinct { _, _ in updates += 1 }
    formattedTime.value = "4:20 PM"
    formattedTime.value = "4:21 PM"
    #expect(updates == 2)
    token.remove()
  }

  @Test("LightweightObservable: a view model and its view")
  func viewModel() {
    let scheduler = TestScheduler()
    let label = Label()
    do {
      let view = View(ViewModel(scheduler: scheduler), dateLabel: label)
      #expect(label.text == "0 s")
      scheduler.advance(by: .seconds(2))
      #expect(label.text == "2 s")
      withExtendedLifetime(view) {}
    }
    // When the view is deallocated, its bag, its view model and the clock are also deallocated.
    #expect(scheduler.pendingCount == 0)
  }

  @Test("LightweightObservable: the example of values as an asynchronous sequence works")
  func values() async throws {
    let observable = Variable(1)
    for try await value in observable.values {
      if value == 3 { break }
      observable.value = value + 1
    }
    #expect(observable.value == 3)
  }
}

/// The view model of the example. Its date changes every second.
private final class ViewModel {
  /// The current date and time as a string (read-only).
  var formattedDate: Observable<String> { formattedDateSubject }

  private let formattedDateSubject: Variable<String> = Variable("0 s")
  private var clock: (any SimpleEventToken)?

  init(scheduler: some EventScheduler) {
    // Update the variable with the current date and time every second.
    clock = formattedDateSubject.bind(
      to: Observable.ticks(every: .seconds(1), on: scheduler).map { "\($0.nanoseconds / 1_000_000_000) s" })
  }
}

/// The view controller of the example, without its UI.
private final class View {
  private let viewModel: ViewModel
  private var disposeBag: DisposeBag = DisposeBag()

  init(_ viewModel: ViewModel, dateLabel: Label) {
    self.viewModel = viewModel
    viewModel
      .formattedDate
      .bind(to: \.text, on: dateLabel)
      .disposed(by: &disposeBag)
  }
}

private struct Location {
  var latitude: Double
  var longitude: Double
}

private final class Label {
  var text: String = ""
}
