/// Reads the options of a command line one at a time.
struct ArgumentReader {
  private let specs: [String: OptionSpec]
  /// The advice in the error for a word that is not an option. If it is nil, the error gives the program's
  /// general advice, which contains the word.
  private let expected: String?
  private var words: ArraySlice<String>
  /// The names of the options that were taken.
  private var taken: Set<String> = []
  /// The words after `--`; nil without it.
  private(set) var command: [String]?

  init(_ words: ArraySlice<String>, _ specs: [OptionSpec], expected: String? = nil) {
    self.expected = expected
    self.specs = Dictionary(uniqueKeysWithValues: specs.map { ($0.name, $0) })
    self.words = words
  }

  /// Takes the next option and its value. The value is empty for an option without a value.
  mutating func next() throws(UsageError) -> (spec: OptionSpec, value: String)? {
    guard let word = words.popFirst() else { return nil }
    if word == "--" {
      command = Array(words)
      words = []
      return nil
    }
    let name = word.prefix { $0 != "=" }
    guard word.hasPrefix("-") else {
      throw UsageError(
        "unknown argument \(word): \(expected ?? "a command follows --, as in coalesce -- \(word)")")
    }
    guard let spec = specs[name == "-h" ? "--help" : String(name)] else {
      throw UsageError("unknown option \(name)")
    }
    guard taken.insert(spec.name).inserted else { throw UsageError("\(name) is given twice") }
    let isJoined = name.endIndex < word.endIndex
    guard spec.value != nil else {
      if isJoined { throw spec.error(nil) }
      return (spec, "")
    }
    if isJoined { return (spec, String(word[name.endIndex...].dropFirst())) }
    guard let value = words.popFirst() else { throw spec.error(nil) }
    // A word that begins with two hyphens is the next option or begins the command, so the value is missing.
    // A value that begins with two hyphens is written after an equals sign.
    if value.hasPrefix("--") { throw spec.error(value) }
    return (spec, value)
  }
}
