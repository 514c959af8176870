// Everything here is isolated to the main actor by default.
import Dispatch
import Foundation
import SimpleEvents
import SimpleObservables

final class Model {
  private let _didChange = LazySimpleEvent()
  var didChange: any SimpleEventObservable { _didChange }
  let name = Variable("")
  var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }
}

final class View {
  private let model: Model
  private var tokens: [any SimpleEventToken] = []
  private lazy var refresh = CoalescingCallback { [weak self] in self?.show("callback") }
  private lazy var group = SimpleEventGroupObserver(of: model.didChange) { [weak self] _ in
    self?.show("group")
  }
  private let changes: CoalescingCollector<String>
  private var shown: [String] = []

  init(_ model: Model) {
    self.model = model
    changes = CoalescingCollector(keeping: .newest(10)) { batch in print(batch.count, "changes") }
    if let token = model.didChange.addObserver({ [weak self] _ in self?.show("block") }) {
      tokens.append(token)
    }
    tokens.append(model.name.subscribe(on: .main) { [weak self] name in self?.show("name \(name)") })
    _ = group
    refresh.schedule()
    changes.add("a")
    changes.add("b")
  }

  private func show(_ origin: String) {
    shown.append(origin)
    if shown.count == 4 {
      print(shown.sorted().joined(separator: ", "))
      exit(0)
    }
  }
}

let model = Model()
let view = View(model)
model.title = "a"
dispatchMain()
