import Dispatch
import SimpleEvents
import TestSupport
import Testing

/// A main-actor model that is observed on another thread through `any SimpleEventObservable & Sendable`.
struct SharedObservableTests {
  @MainActor
  private final class Model {
    private let _didChange: LazySimpleEvent
    nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }

    var title: String = "" { didSet { _didChange.trigger(if: title != oldValue) } }

    nonisolated init(on queue: DispatchQueue) {
      _didChange = LazySimpleEvent(on: queue, label: "didChange")
    }
  }

  @Test("SimpleEventObservable: a Sendable observable can be observed and released on other threads")
  func observation() async {
    let queue = DispatchQueue(label: "observer")
    let model = Model(on: queue)
    let log = Log()
    let didChange = model.didChange
    #expect(didChange.label == "didChange")
    let token = await Task.detached {
      didChange.addObserver { [log] _ in log.add("changed") }
    }.value
    queue.suspend()
    await MainActor.run {
      model.title = "a"
      model.title = "b"
    }
    queue.resume()
    queue.sync {}
    #expect(log.entries == ["changed"])
    await Task.detached { token?.remove() }.value
    await MainActor.run { model.title = "c" }
    queue.sync {}
    #expect(log.entries == ["changed"])
    withExtendedLifetime(model) {}
  }

  @Test("E5: a token can be removed on another thread")
  func token() async {
    let queue = DispatchQueue(label: "observer")
    let event = LazySimpleEvent(on: queue)
    let log = Log()
    let token = event.addObserver { [log] _ in log.add("called") }
    await Task.detached { token?.remove() }.value
    event.trigger()
    queue.sync {}
    #expect(log.entries == [])
    withExtendedLifetime(event) {}
  }
}
