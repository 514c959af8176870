import Foundation

/// Checks the links in the files of a site.
struct Links {
  private let folder: URL
  private let base: String
  private var pages: [String: Page] = [:]
  /// The paths in the attributes of HTML files and in the sidebar. The value is one file that contains the
  /// path.
  private var paths: [String: String] = [:]

  var count: Int { paths.count + pages.values.reduce(0) { $0 + $1.shown.count } }

  init(in folder: URL, base: String) throws {
    self.folder = folder
    self.base = base
    let archive = try Archive(folder)
    pages = archive.pages.mapValues(Page.init)
    pages[""] = Page(try Archive.read(folder.appending(path: "data/documentation.json")))
    collect(try Archive.read(folder.appending(path: "index/index.json")))
    for name in pages.keys {
      let file = name == "" ? "documentation/index.html" : "documentation/\(name)/index.html"
      let html = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      pages[name]?.hasTitle = html.contains(/<title>[^<]+<\/title><meta name="description" content="[^"]+">/)
      collect(html, of: file)
    }
    collect(try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8), of: "index.html")
  }

  private mutating func collect(_ html: String, of file: String) {
    for match in html.matches(of: /(?:href|src)="([^"]*)"/) { paths[String(match.1), default: file] = file }
  }

  /// Adds the paths of the sidebar.
  private mutating func collect(_ value: Any) {
    if let list = value as? [Any] { for element in list { collect(element) } }
    guard let node = value as? Node else { return }
    if let path = node["path"] as? String { paths[base + path] = "index/index.json" }
    for element in node.values { collect(element) }
  }

  func problems(contracts: [String: Node]) -> [String] {
    let families = Set(contracts.keys.compactMap(\.first))
    var found: [String] = []
    for (path, page) in pages {
      let name = path == "" ? "the front page" : path
      for identifier in page.shown {
        guard let reference = page.references[identifier] as? Node else {
          found.append("\(name) shows \(identifier), which it does not describe")
          continue
        }
        found += targets(of: reference).filter { !exists($0[...]) }.map { "\(name) has a dead link: \($0)" }
      }
      found += page.unlinked.filter { $0.first.map(families.contains) ?? false }
        .map { "\(name) cites \($0), which is \(contracts[$0] == nil ? "no contract" : "no link")" }
      if !page.hasTitle { found.append("\(name) has no title or no description") }
    }
    for (path, file) in paths {
      // A path that does not begin with the base path leads to another site.
      let isInside = path.hasPrefix(base + "/") || !path.hasPrefix("/")
      if !isInside || !exists(path.hasPrefix("/") ? path.dropFirst(base.count) : path[...]) {
        found.append("\(file) has a dead link: \(path)")
      }
    }
    return found.sorted()
  }

  private func targets(of reference: Node) -> [String] {
    let variants = (reference["variants"] as? [Node] ?? []).compactMap { $0["url"] as? String }
    return variants + [reference["url"] as? String].compactMap { $0 }
  }

  /// Whether a path, with or without an anchor, leads to a page or a file. Links to other sites are not
  /// checked.
  private func exists(_ target: Substring) -> Bool {
    if target.hasPrefix("https://") { return true }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map {
      String($0)
    }
    let path = (parts[0].removingPercentEncoding ?? parts[0]).drop { $0 == "/" }
    guard path == "documentation" || path.hasPrefix("documentation/") else {
      return FileManager.default.fileExists(atPath: folder.appending(path: String(path)).path)
    }
    let page = pages[path.dropFirst("documentation/".count).lowercased()]
    return page.map { parts.count == 1 || $0.anchors.contains(parts[1]) } ?? false
  }
}

/// The data of a page.
private struct Page {
  let references: Node
  var anchors: Set<String> = []
  /// The identifiers of its links, pictures and parents.
  var shown: Set<String> = []
  /// The numbers in the text of the page that look like numbers of contracts and are not links.
  var unlinked: Set<String> = []
  var hasTitle = false

  init(_ json: Node) {
    references = json["references"] as? Node ?? [:]
    for (key, part) in json where key != "references" && key != "identifier" { collect(part) }
  }

  private mutating func collect(_ value: Any) {
    if let list = value as? [Any] { for element in list { collect(element) } }
    guard let node = value as? Node else { return }
    if let anchor = node["anchor"] as? String { anchors.insert(anchor) }
    switch node["type"] as? String {
    case "reference", "image", "video":
      if let identifier = node["identifier"] as? String { shown.insert(identifier) }
      return
    case "links": shown.formUnion(node["items"] as? [String] ?? [])
    case "text": unlinked.formUnion(cited(in: node["text"] as? String ?? "").compactMap(\.number))
    default: break
    }
    shown.formUnion(node["identifiers"] as? [String] ?? [])
    if let paths = node["paths"] as? [[String]] { shown.formUnion(paths.joined()) }
    for element in node.values { collect(element) }
  }
}
