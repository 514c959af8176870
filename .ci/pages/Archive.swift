import Foundation

typealias Node = [String: Any]

/// The pages of an archive. The name of a page is its path, such as `simpleevents/contracts`. The path of the
/// front page is empty.
struct Archive {
  static let root = "doc://SimpleEvents/documentation"

  let folder: URL
  var pages: [String: Node] = [:]

  init(_ folder: URL) throws {
    self.folder = folder
    let data = folder.appending(path: "data/documentation")
    for file in try FileManager.default.subpathsOfDirectory(atPath: data.path) where file.hasSuffix(".json") {
      pages[String(file.dropLast(5))] = try Self.read(data.appending(path: file))
    }
  }

  static func read(_ file: URL) throws -> Node {
    try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? Node ?? [:]
  }

  static func write(_ node: Node, to file: URL) throws {
    try JSONSerialization.data(withJSONObject: node, options: .sortedKeys).write(to: file)
  }

  /// Moves the page that DocC has made of an article to `/documentation`.
  mutating func setFront(to file: URL) throws {
    var front = try Self.read(file)
    front["identifier"] = ["url": Self.root, "interfaceLanguage": "swift"]
    pages[""] = front
  }

  /// Makes the front page the outermost parent of each page. A parent that has no page is left out: DocC
  /// makes no page for a module that is only extended.
  mutating func addFrontToHierarchy() {
    let made = Set(pages.keys.map { identifier(of: $0) })
    let front = reference(to: "")
    for (name, var page) in pages where name != "" {
      let paths = (page["hierarchy"] as? Node)?["paths"] as? [[String]] ?? []
      page["hierarchy"] = ["paths": paths.map { [Self.root] + $0.filter(made.contains) }]
      page["references"] = (page["references"] as? Node ?? [:]).merging([Self.root: front]) { $1 }
      pages[name] = page
    }
  }

  func write() throws {
    for (name, page) in pages {
      let file = name == "" ? "data/documentation.json" : "data/documentation/\(name).json"
      try Self.write(page, to: folder.appending(path: file))
    }
  }

  /// Writes the sidebar, which shows the modules as one tree. It would show only one module if modules had
  /// their own kind in the index. The search finds only entries of the sidebar, so each contract is an entry.
  func writeNavigator(contracts: [String: Node]) throws {
    let file = folder.appending(path: "index/index.json")
    var index = try Self.read(file)
    let trees = index["interfaceLanguages"] as? Node
    guard var root = (trees?["swift"] as? [Node])?.first else { return }
    root["title"] = title(of: "")
    let numbers = contracts.keys.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    let entries = numbers.map { number -> Node in
      [
        "type": "article", "title": contracts[number]?["title"] ?? "",
        "path": contracts[number]?["url"] ?? "",
      ]
    }
    root["children"] = (root["children"] as? [Node])?.map { module in
      module.merging([
        "type": "collection",
        "children": (module["children"] as? [Node] ?? []).map { page in
          page["path"] as? String == "/documentation/simpleevents/contracts"
            ? page.merging(["children": entries]) { $1 } : page
        },
      ]) { $1 }
    }
    index["interfaceLanguages"] = ["swift": [root]]
    try Self.write(index, to: file)
  }

  // MARK: - Reading pages

  func identifier(of name: String) -> String {
    (pages[name]?["identifier"] as? Node)?["url"] as? String ?? ""
  }

  func metadata(of name: String) -> Node { pages[name]?["metadata"] as? Node ?? [:] }

  func title(of name: String) -> String { metadata(of: name)["title"] as? String ?? "" }

  func abstract(of name: String) -> [Node] { pages[name]?["abstract"] as? [Node] ?? [] }

  /// Returns a reference in the form in which DocC writes it in the data of a page that links to the named
  /// page.
  func reference(to name: String) -> Node {
    let page = pages[name] ?? [:]
    var reference: Node = [
      "type": "topic",
      "identifier": identifier(of: name),
      "title": title(of: name),
      "url": name == "" ? "/documentation" : "/documentation/\(name)",
      "kind": page["kind"] ?? "article",
      "role": metadata(of: name)["role"] ?? "article",
      "abstract": abstract(of: name),
    ]
    reference["fragments"] = metadata(of: name)["fragments"]
    return reference
  }
}

/// Returns a copy in which each list of nodes is replaced, the innermost lists first. The texts of links are
/// not changed.
func rewrite(_ value: Any, _ change: ([Node]) -> [Node]) -> Any {
  if let nodes = value as? [Node] { return change(nodes.map { rewrite($0, change) as? Node ?? $0 }) }
  if let list = value as? [Any] { return list.map { rewrite($0, change) } }
  guard let node = value as? Node, node["type"] as? String != "reference" else { return value }
  return node.mapValues { rewrite($0, change) }
}

/// Returns the text of inline nodes without their markup.
func plainText(_ nodes: [Node]) -> String {
  nodes.map { node in
    if let inner = node["inlineContent"] as? [Node] { return plainText(inner) }
    return node["text"] as? String ?? node["code"] as? String ?? ""
  }.joined()
}

func stop(_ message: String) -> Never {
  print(message)
  exit(1)
}
