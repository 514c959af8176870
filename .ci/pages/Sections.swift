import Foundation

extension Archive {
  /// Begins each long article with links to its sections, and to the contracts in each section.
  mutating func listSections() {
    for (name, page) in pages where name != "" && page["kind"] as? String == "article" {
      guard var primary = page["primaryContentSections"] as? [Node],
        let index = primary.firstIndex(where: { $0["kind"] as? String == "content" }),
        let content = primary[index]["content"] as? [Node]
      else { continue }
      let headings = content.filter {
        $0["type"] as? String == "heading" && $0["text"] as? String != "Overview"
      }
      let sections = headings.filter { level(of: $0) < 4 }
      guard sections.count >= 5 else { continue }
      var references = page["references"] as? Node ?? [:]
      let links = headings.map { heading in
        let reference = reference(to: heading, of: name)
        let identifier = reference["identifier"] as? String ?? ""
        references[identifier] = reference
        return ["type": "reference", "isActive": true, "identifier": identifier] as Node
      }
      let isFlat = sections.count == headings.count
      let lists = isFlat ? [paragraph(links)] : [nested(links, headings), paragraph([fold(links[0])])]
      primary[index]["content"] = lists + content
      pages[name]?["primaryContentSections"] = primary
      pages[name]?["references"] = references
    }
  }

  private func level(of heading: Node) -> Int { heading["level"] as? Int ?? 0 }

  private func reference(to heading: Node, of name: String) -> Node {
    let anchor = heading["anchor"] as? String ?? ""
    return [
      "type": "topic", "kind": "section", "role": "pseudoSymbol", "abstract": [Node](),
      "title": heading["text"] ?? "", "identifier": "\(identifier(of: name))#\(anchor)",
      "url": "/documentation/\(name)#\(anchor)",
    ]
  }

  private func paragraph(_ links: [Node]) -> Node {
    let separated = links.flatMap { [["type": "text", "text": " · "], $0] as [Node] }
    return ["type": "paragraph", "inlineContent": Array(separated.dropFirst())]
  }

  /// The link by which `fold.js` hides the details of the contracts. Without the script, the link leads to
  /// the first section.
  private func fold(_ link: Node) -> Node {
    let title = "Show only the promises, or the details as well"
    return link.merging(
      ["overridingTitle": title, "overridingTitleInlineContent": [["type": "text", "text": title]]]
    ) { $1 }
  }

  /// A list with an item for each section.
  private func nested(_ links: [Node], _ headings: [Node]) -> Node {
    var items: [[Node]] = []
    for (link, heading) in zip(links, headings) {
      if level(of: heading) < 4 || items.isEmpty { items.append([]) }
      items[items.count - 1].append(link)
    }
    return ["type": "unorderedList", "items": items.map { ["content": [paragraph($0)]] }]
  }
}
