import Dispatch
import Foundation
import SimpleEvents

@MainActor
final class Model {
  private let _didChange = LazySimpleEvent(policy: .debounce(.milliseconds(10)))
  var didChange: any SimpleEventObservable { _didChange }
  var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
}

@MainActor
final class View: @MainActor SimpleEventObserver {
  private let model: Model
  private var token: (any SimpleEventToken)?
  private var count = 0

  init(_ model: Model) {
    self.model = model
    model.didChange.addObserver(&token) { [weak self] _ in self?.show("block") }
    model.didChange.addObserver(self)
  }

  func simpleEventDidTrigger(_ event: any SimpleEventObservable) { show("delegate") }

  private func show(_ style: String) {
    print(style, model.title)
    count += 1
    if count == 2 { exit(0) }
  }
}

let model = Model()
let view = View(model)
model.title = "a"
model.title = "b"
dispatchMain()
