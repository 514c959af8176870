import Foundation

extension Archive {
  /// Turns each item of a list that states contracts, `- **H1 Order.** …`, into a heading with an anchor. The
  /// first paragraph of an item must be one short sentence, so that the page can be skimmed. Returns
  /// references to the headings by number.
  mutating func giveContractsAnchors() -> [String: Node] {
    let tests = reference(to: "simpleevents/testsofcontracts")
    var contracts: [String: Node] = [:]
    for (name, page) in pages {
      guard let sections = page["primaryContentSections"] else { continue }
      let identifier = identifier(of: name)
      var references = page["references"] as? Node ?? [:]
      pages[name]?["primaryContentSections"] = rewrite(sections) { nodes in
        nodes.flatMap { node in
          let items = node["items"] as? [Node] ?? []
          let statements = items.compactMap { Statement($0, testedOn: tests) }
          guard let first = statements.first?.number else { return [node] }
          if statements.count < items.count {
            stop("\(name): the list of \(first) has items without a number.")
          }
          for statement in statements {
            let number = statement.number
            references.merge([statement.testsIdentifier: statement.tests]) { made, _ in made }
            if contracts[number] != nil { stop("Two contracts have the number \(number).") }
            if !statement.isSkimmable { stop("\(number) does not begin with one sentence of 30 words.") }
            contracts[number] = [
              "type": "topic", "kind": "section", "role": "pseudoSymbol", "abstract": [Node](),
              "title": statement.title, "identifier": "\(identifier)#\(number)",
              "url": "/documentation/\(name)#\(number)",
            ]
          }
          return statements.flatMap(\.nodes)
        }
      }
      pages[name]?["references"] = references
    }
    return contracts
  }
}

/// An item of a list that states a contract.
private struct Statement {
  let number: String
  let title: String
  /// The heading and the text of the contract.
  let nodes: [Node]
  /// The reference to the section of the page of tests, and the identifier of the section.
  let tests: Node
  let testsIdentifier: String

  /// Whether the first paragraph is one sentence of at most 30 words.
  let isSkimmable: Bool

  init?(_ item: Node, testedOn page: Node) {
    guard var content = item["content"] as? [Node] else { return nil }
    guard var inline = content.first?["inlineContent"] as? [Node],
      inline.first?["type"] as? String == "strong"
    else { return nil }
    let bold = inline.removeFirst()
    guard let match = plainText([bold]).wholeMatch(of: /([A-Z][0-9]{1,2})( .*)?/) else { return nil }
    number = String(match.1)
    if match.0.hasSuffix(".") {
      title = String(match.0.dropLast())
    } else {
      // The bold words begin the sentence, as in `**H9 Memory** is …`.
      title = number
      var words = bold["inlineContent"] as? [Node] ?? []
      words[0]["text"] = (words[0]["text"] as? String)?.dropFirst(number.count).description
      inline = words + inline
    }
    let section = "#\(number)"
    let identifier = (page["identifier"] as? String ?? "") + section
    testsIdentifier = identifier
    tests = page.merging(
      [
        "kind": "section", "title": number, "identifier": identifier,
        "url": (page["url"] as? String ?? "") + section,
      ]
    ) { $1 }
    // DocC does not link to a page of another module. A contract of another module names the page instead.
    inline = inline.map { node in
      guard node["type"] as? String == "emphasis", plainText([node]) == page["title"] as? String else {
        return node
      }
      return [
        "type": "reference", "isActive": true, "identifier": identifier, "overridingTitle": "Tests",
        "overridingTitleInlineContent": [["type": "text", "text": "Tests"]],
      ]
    }
    let first = plainText(inline)
    isSkimmable = first.split(separator: " ").count <= 30 && !first.contains(/[.;] [A-Z]/)
    content[0]["inlineContent"] = inline
    // The details are one row, which the page can hide.
    let details = Array(content.dropFirst())
    let row: Node = ["type": "row", "numberOfColumns": 1, "columns": [["size": 1, "content": details]]]
    nodes =
      [["type": "heading", "level": 4, "text": title, "anchor": number], content[0]]
      + (details.isEmpty ? [] : [row])
  }
}
