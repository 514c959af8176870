import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

// The snippets of the documentation of SimpleObservables. A line that ends in "hidden" is not part of the
// text.

private final class Index: Sendable {
  func matches(_ query: String) async throws -> [String] { ["\(query) is found"] }
}

private final class List {
  private(set) var shown: [String] = []
  var text = ""

  func show(_ list: [String]) { shown = list }
  func reload() { shown.append("reload") }
}

private final class RenamedModel {
  private let titleSubject = Variable("Untitled")
  var title: Observable<String> { titleSubject }

  func rename() { titleSubject.value = "Contracts" }
}

private struct Location {}

private final class Screen {
  private var token: (any SimpleEventToken)?
  private(set) var title = ""
  private let bag = DisposeBag()

  init(_ model: RenamedModel) {  // hidden
    model.title.subscribe { print($0) }.disposed(by: bag)
  }  // hidden

  func follow(_ model: RenamedModel) {
    token = model.title.subscribe { [weak self] title in self?.show(title) }
  }

  private func show(_ title: String) { self.title = title }
}

private final class Registry {
  private(set) var plugins: [Int: String] = [:]

  func add(_ plugin: String) -> Int {
    plugins[plugins.count] = plugin
    return plugins.count - 1
  }
  func remove(_ id: Int) { plugins[id] = nil }
}

private final class Button {
  var onTap: () -> Void = {}
}

struct ValueSnippets {
  @Test("Documentation: a search answers its query 300 ms later")
  func search() throws {
    final class Search {
      let query = Variable("")
      let results: Observable<[String]>

      init(_ index: Index, on scheduler: some EventScheduler) {
        results =
          query
          .debounce(.milliseconds(300), on: scheduler)
          .removeDuplicates()
          .filter { !$0.isEmpty }
          .flatMapLatest { query in
            .task { try await index.matches(query) }
              .catch { _ in .just([]) }  // without this, the first error would end the results
          }
      }
    }

    func program(_ search: Search, _ list: List) {  // hidden
      let token = search.results.subscribe(on: .main) { list.show($0) }
      token.remove()
    }

    let scheduler = TestScheduler()
    let shown = try scheduler.run { () -> [String]? in
      let search = Search(Index(), on: scheduler)
      search.query.value = "a"
      return try await search.results.first()
    }
    #expect(shown == ["a is found"])
    #expect(scheduler.milliseconds == 300)
  }

  @Test("Documentation: a subscriber follows a title")
  func title() {
    final class ViewModel {
      private let titleSubject = Variable("Untitled")
      var title: Observable<String> { titleSubject }
    }

    let viewModel = ViewModel()  // hidden
    let token = viewModel.title.subscribe { title in print(title) }

    token.remove()
  }

  @Test("Documentation: a screen shows a title until it is deallocated")
  func screen() {
    let viewModel = RenamedModel()
    let screen = Screen(viewModel)
    screen.follow(viewModel)
    viewModel.rename()
    #expect(screen.title == "Contracts")
  }

  @Test("Documentation: a location reaches a subscriber")
  func locations() {
    let location = Location()
    let locations = PublishSubject<Location>()
    let token = locations.subscribe { location in print(location) }
    locations.update(location)
    withExtendedLifetime(token) {}
  }

  @Test("Documentation: a subscriber of changes receives the new and the old value")
  func changes() {
    let log = Log()
    func print(_ words: String...) { log.add(words.joined(separator: " ")) }

    let title = Variable("Untitled")
    let token = title.subscribe { new, old in print(old ?? "-", "->", new) }  // - -> Untitled
    title.value = "Contracts"  // Untitled -> Contracts

    #expect(log.entries == ["- -> Untitled", "Untitled -> Contracts"])
    withExtendedLifetime(token) {}
  }

  @Test("Documentation: a closure does nothing once its bag has been disposed of")
  func closure() {
    let bag = DisposeBag()
    let list = List()
    let button = Button()

    let refresh = Closure { list.reload() }
    refresh.disposed(by: bag)
    button.onTap = { refresh.closure?() }  // does nothing once the bag has disposed

    button.onTap()
    bag.disposeAll()
    button.onTap()
    #expect(list.shown == ["reload"])
  }

  @Test("Documentation: a disposable runs a cleanup")
  func disposable() {
    let bag = DisposeBag()
    let registry = Registry()
    let plugin = "plugin"

    let id = registry.add(plugin)
    Disposable { registry.remove(id) }.disposed(by: bag)

    bag.disposeAll()
    #expect(registry.plugins.isEmpty)
  }

  @Test("Documentation: a property follows a title")
  func binding() {
    let bag = DisposeBag()
    let viewModel = RenamedModel()
    let label = List()

    viewModel.title.bind(to: \.text, on: label).disposed(by: bag)

    viewModel.rename()
    #expect(label.text == "Contracts")
  }

  @Test("Documentation: a task renders titles")
  func values() async throws {
    let model = RenamedModel()
    let log = Log()
    func render(_ title: String) async { log.add(title) }

    for try await title in model.title.values {
      // Of the titles that are sent during this call, the loop receives only the last one.
      await render(title)
      break  // hidden
    }
    #expect(log.entries == ["Untitled"])
  }

  @Test("Documentation: a label follows a variable")
  func bindingOfVariables() {
    let bag = DisposeBag()
    let label = (isHidden: Variable(false), text: "")
    let model = (isLoading: Variable(true), text: "")

    label.isHidden.bind(to: model.isLoading).disposed(by: bag)

    #expect(label.isHidden.value)
  }

  @Test("Documentation: a total is kept, and an error is replaced")
  func scanAndCatch() {
    let (prices, remote, log) = (PublishSubject<Int>(), PublishSubject<String>(), Log())
    let total = prices.scan(0) { total, price in total + price }
    let titles = remote.catch { error in .just("offline") }
    let tokens = [total.subscribe { log.add("\($0)") }, titles.subscribe { log.add($0) }]
    prices.update(2)
    prices.update(3)
    remote.fail(CancellationError())
    #expect(log.entries == ["2", "5", "offline"])
    withExtendedLifetime(tokens) {}
  }

  @Test("Documentation: a connection that has failed is made again after one second, then after two")
  func backoff() {
    let (queue, log) = (TestScheduler(), Log())
    var attempts = 0
    let connection = Observable<Int>.create { observer in
      attempts += 1
      log.add("\(queue.elapsed)")
      if attempts < 3 { observer.fail(CancellationError()) }
      return {}
    }
    let prices = connection.retry(.exponential(initial: .seconds(1)).maximum(.seconds(60)), on: queue)
    let token = prices.subscribe { _ in }
    queue.advance(by: .seconds(10))
    #expect(log.entries == ["0.0 seconds", "1.0 seconds", "3.0 seconds"])
    token.remove()
  }

  @Test("Documentation: a task answers a query")
  func tasks() throws {
    struct AsyncIndex: Sendable {
      func matches(_ query: String) async throws -> [String] { ["\(query) is found"] }
    }

    let index = AsyncIndex()
    let shown = try TestScheduler().run { () -> [String] in
      let list = List()
      let query = Variable("a")
      func latest() -> Observable<[String]> {
        let results = query.flatMapLatest { query in .task { try await index.matches(query) } }
        return results
      }
      func function() -> Observable<[String]> {
        let results = query.flatMapLatest(Observable.task { query in try await index.matches(query) })
        return results
      }
      let first = try await latest().first()
      let second = try await function().first()
      list.show([first, second].compactMap { $0 }.flatMap { $0 })
      return list.shown
    }
    #expect(shown == ["a is found", "a is found"])
  }
}
