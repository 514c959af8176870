import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import Testing

// The snippet of a form in the documentation of SimpleObservables.

@MainActor
final class SignUp {
  private let bag = DisposeBag()
  let name = DistinctVariable("")
  let age = DistinctVariable(0)
  let isComplete: Observable<Bool>
  private(set) var isButtonEnabled = false

  init(on scheduler: some EventScheduler = .main) {
    isComplete = Observable.combineLatest(name, age).map { @Sendable name, age in !name.isEmpty && age >= 18 }
      .removeDuplicates()
    isComplete.observe(on: scheduler).subscribe { [weak self] in self?.isButtonEnabled = $0 }
      .disposed(by: bag)
  }
}

struct FormSnippet {
  @MainActor @Test func enablesTheButton() {
    let scheduler = TestScheduler()
    let form = SignUp(on: scheduler)
    form.name.value = "Ada"
    #expect(!form.isButtonEnabled)
    form.age.value = 36
    scheduler.advance()
    #expect(form.isButtonEnabled)
    form.name.value = ""
    scheduler.advance()
    #expect(!form.isButtonEnabled)
  }
}
