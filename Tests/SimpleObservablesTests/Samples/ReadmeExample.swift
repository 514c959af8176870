import SimpleEvents
import SimpleObservables

// The README's example of this layer, word for word. `ReadmeTests` compares the two.

func searchAsYouType(_ lookUp: @escaping (String) -> [String]) -> any SimpleEventToken {
  let name = Variable("")
  let results = PublishSubject<[String]>()

  let search =
    name
    .debounce(.milliseconds(200), on: .main)
    .filter { !$0.isEmpty }
    .subscribe { name in results.update(lookUp(name)) }
  return search
}
