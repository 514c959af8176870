/// The options of a command line, one after the other.
struct ArgumentReader {
  private let specs: [String: OptionSpec]
  private var words: ArraySlice<String>
  /// The words behind `--`; nil without it.
  private(set) var command: [String]?

  init(_ words: ArraySlice<String>, _ specs: [OptionSpec]) {
    self.specs = Dictionary(uniqueKeysWithValues: specs.map { ($0.name, $0) })
    self.words = words
  }

  /// Takes the next option with its value, which is empty for an option without one.
  mutating func next() throws(UsageError) -> (spec: OptionSpec, value: String)? {
    guard let word = words.popFirst() else { return nil }
    if word == "--" {
      command = Array(words)
      words = []
      return nil
    }
    let name = word.prefix { $0 != "=" }
    guard word.hasPrefix("-"), let spec = specs[name == "-h" ? "--help" : String(name)] else {
      throw UsageError(word.hasPrefix("-") ? "unknown option \(name)" : "unknown argument \(word)")
    }
    let isJoined = name.endIndex < word.endIndex
    guard spec.value != nil else {
      if isJoined { throw UsageError("\(name) takes no value") }
      return (spec, "")
    }
    if isJoined { return (spec, String(word[name.endIndex...].dropFirst())) }
    guard let value = words.popFirst() else { throw spec.error(nil) }
    return (spec, value)
  }
}
