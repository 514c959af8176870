// Fails if a public symbol has no documentation, or if the documentation breaks one of these rules: the first
// sentence has at most 150 characters and neither code nor links, and if one parameter is documented, all
// parameters are.
//
// Usage: documented GRAPH.symbols.json...

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { let identifier: String }
    struct Identifier: Decodable { let precise: String }
    struct Comment: Decodable {
      struct Line: Decodable { let text: String }
      /// The module of the documentation; absent if the documentation is inherited from another module.
      let module: String?
      let lines: [Line]
    }
    struct Signature: Decodable {
      struct Parameter: Decodable {
        let name: String
        let internalName: String?
      }
      let parameters: [Parameter]?
    }

    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let docComment: Comment?
    let functionSignature: Signature?
  }

  struct Module: Decodable { let name: String }

  let module: Module
  let symbols: [Symbol]
}

/// Returns the problems of one symbol.
func problems(of symbol: Graph.Symbol, in module: String) -> [String] {
  // Synthesized symbols are left out. The compiler adds them for conformances, and for members that other
  // modules' protocols provide.
  if symbol.identifier.precise.contains("::SYNTHESIZED::") { return [] }
  if symbol.kind.identifier == "swift.extension" { return [] }
  guard let comment = symbol.docComment, !comment.lines.isEmpty else { return ["has no documentation"] }
  if let origin = comment.module, origin != module { return [] }
  let lines = comment.lines.map { $0.text.trimmingCharacters(in: .whitespaces) }
  let abstract = lines.prefix { !$0.isEmpty && !$0.hasPrefix("- ") }.joined(separator: " ")
  var found: [String] = []
  if abstract.count > 150 { found.append("has an abstract of \(abstract.count) characters: \(abstract)") }
  if abstract.contains("`") || abstract.contains("](") {
    found.append("has code or a link in its abstract: \(abstract)")
  }
  if !abstract.hasSuffix(".") && !abstract.hasSuffix(":") {
    found.append("has an abstract without an end: \(abstract)")
  }
  let documented = lines.compactMap { line in
    line.wholeMatch(of: /- (?:Parameter )?`?(\w+)`?: .*/).map { String($0.1) }
  }
  let names = (symbol.functionSignature?.parameters ?? []).map { $0.internalName ?? $0.name }
  if lines.contains(where: { $0.hasPrefix("- Parameter") }) {
    for name in names where !documented.contains(name) {
      found.append("does not document its parameter \(name)")
    }
  }
  return found
}

var symbolCount = 0
var problemCount = 0
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: path)))
  for symbol in graph.symbols {
    symbolCount += 1
    for problem in problems(of: symbol, in: graph.module.name) {
      problemCount += 1
      print("\(graph.module.name).\(symbol.pathComponents.joined(separator: ".")) \(problem)")
    }
  }
}
print("\(symbolCount) public symbols, \(problemCount) problems")
exit(problemCount == 0 && symbolCount > 0 ? 0 : 1)
