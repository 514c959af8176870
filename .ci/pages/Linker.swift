import Foundation

/// Adds links that DocC does not make, because it finds only names in modules that it has converted before.
///
/// The links are made of contracts that are cited by number, of modules and types of another module in code
/// font, and of emphasised titles of articles.
struct Linker {
  private let archive: Archive
  private let contracts: [String: Node]
  /// The references to the modules and their types by name, and to the articles by title.
  private var names: [String: String] = [:]
  private var articles: [String: String] = [:]

  init(_ archive: Archive, contracts: [String: Node]) {
    self.archive = archive
    self.contracts = contracts
    for name in archive.pages.keys where name != "" && name.count(where: { $0 == "/" }) < 2 {
      switch archive.metadata(of: name)["symbolKind"] as? String {
      case "module", "class", "struct", "enum", "protocol": names[archive.title(of: name)] = name
      case nil: articles[archive.title(of: name)] = name
      default: break
      }
    }
  }

  /// Returns the page with links, and with references to the targets of the links.
  func linked(_ page: Node, named name: String) -> Node {
    var page = page
    var references = page["references"] as? Node ?? [:]
    for part in ["abstract", "primaryContentSections", "topicSections"] {
      page[part] = page[part].map { content in
        rewrite(content) { nodes in
          nodes.flatMap { node in
            linked(node, on: name) { reference in
              guard let identifier = reference["identifier"] as? String else { return }
              references[identifier] = references[identifier] ?? reference
            }
          }
        }
      }
    }
    page["references"] = references
    return page
  }

  private func linked(_ node: Node, on name: String, _ use: (Node) -> Void) -> [Node] {
    func link(to target: String) -> [Node] {
      let reference = archive.reference(to: target)
      use(reference)
      return [["type": "reference", "isActive": true, "identifier": reference["identifier"] ?? ""]]
    }
    switch node["type"] as? String {
    case "text":
      return cited(in: node["text"] as? String ?? "").map { text, number in
        let inline: Node = ["type": "text", "text": text]
        guard let reference = number.flatMap({ contracts[$0] }) else { return inline }
        use(reference)
        return [
          "type": "reference", "isActive": true, "identifier": reference["identifier"] ?? "",
          "overridingTitle": text, "overridingTitleInlineContent": [inline],
        ]
      }
    case "codeVoice":
      let target = names[node["code"] as? String ?? ""]
      return target.map { module(of: $0) == module(of: name) ? [node] : link(to: $0) } ?? [node]
    case "emphasis":
      let target = articles[plainText([node])]
      return target.map { $0 == name ? [node] : link(to: $0) } ?? [node]
    default: return [node]
    }
  }

  private func module(of name: String) -> Substring { name.prefix { $0 != "/" } }
}

/// Splits a text into the numbers of contracts that it cites, and the parts between the numbers.
func cited(in text: String) -> [(text: String, number: String?)] {
  var parts: [(String, String?)] = []
  var end = text.startIndex
  for match in text.matches(of: /\b[A-Z][0-9]{1,2}\b/) {
    let before = text[end..<match.range.lowerBound]
    if !before.isEmpty { parts.append((String(before), nil)) }
    parts.append((String(match.output), String(match.output)))
    end = match.range.upperBound
  }
  if end < text.endIndex || parts.isEmpty { parts.append((String(text[end...]), nil)) }
  return parts
}
