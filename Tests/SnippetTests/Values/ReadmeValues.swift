import SimpleEvents
import SimpleObservables

// The README's snippet of values.

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
