// Prints the public declarations of a module and the conformances of its types, a line each, in alphabetical
// order.
//
// Usage: declarations GRAPH.symbols.json...

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Fragment: Decodable { let spelling: String }
    struct Identifier: Decodable { let precise: String }

    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]?

    var name: String { pathComponents.joined(separator: ".") }
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    /// The name of the target, if another module declares it.
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

var lines: Set<String> = []
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: path)))
  // Synthesized symbols are left out. The compiler adds them for members that protocols of other modules
  // provide.
  for symbol in graph.symbols where !symbol.identifier.precise.contains("::SYNTHESIZED::") {
    let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    let words = declaration.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    lines.insert("\(symbol.name): \(words)")
  }
  let names = Dictionary(graph.symbols.map { ($0.identifier.precise, $0.name) }) { first, _ in first }
  for relationship in graph.relationships where relationship.kind == "conformsTo" {
    guard let type = names[relationship.source] else { continue }
    let target = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
    // Every type conforms to these protocols unless its declaration says otherwise.
    guard !["Swift.Copyable", "Swift.Escapable"].contains(target) else { continue }
    lines.insert("\(type): conforms to \(target)")
  }
}
print(lines.sorted().joined(separator: "\n"))
