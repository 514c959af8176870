import SimpleEvents
import SimpleObservables

let words = ["Swift", "Swiftly", "Linux"]
let query = Variable("")
let text = query.removeDuplicates()
  .flatMapLatest { query in Observable.just(words.filter { $0.lowercased().hasPrefix(query) }) }
  .map { $0.joined(separator: " ") }
let texts = Observable.combineLatest(query, text).filter { query, _ in query.count > 4 }
let token = texts.removeDuplicates { $0.0 == $1.0 && $0.1 == $1.1 }.debounce(.milliseconds(10), on: .main)
  .subscribe { pair in print("\(pair.0): \(pair.1)") }
query.value = "swift"
query.finish()
token.remove()
