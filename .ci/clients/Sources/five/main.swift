// This code was written for MMMObservables. Only its import has changed.
import Dispatch
import Foundation
import SimpleEvents

protocol ViewModel: AnyObject {
  var title: String { get }
  var didChange: SimpleEventObservable { get }
}

final class DefaultViewModel: ViewModel {
  private let parent = SimpleEvent()
  private lazy var proxy = SimpleEventProxy(events: parent)
  var didChange: SimpleEventObservable { proxy }
  private(set) var title = "Initial title" {
    didSet { parent.trigger(if: title != oldValue) }
  }
  func update() { title = "Updated title" }
}

final class View {
  private let viewModel: ViewModel
  private var viewModelDidChange: SimpleEventToken?
  init(viewModel: ViewModel) {
    self.viewModel = viewModel
    viewModel.didChange.addObserver(&viewModelDidChange) { [weak self] _ in
      print(self?.viewModel.title ?? "")
      exit(0)
    }
  }
}

let viewModel = DefaultViewModel()
let view = View(viewModel: viewModel)
viewModel.update()
dispatchMain()
