import Foundation

/// The static part of each page: its title and description, the bar, and the site's own style.
struct StaticPages {
  private let archive: Archive
  private let template: String

  init(_ archive: Archive, parts: URL, base: String) throws {
    self.archive = archive
    let bar = try String(contentsOf: parts.appending(path: "bar.html"), encoding: .utf8)
    let custom = "<template id=\"custom-header\">\(bar.replacing("{base}", with: base))</template>"
    template = try String(
      contentsOf: archive.folder.appending(path: "documentation/index.html"), encoding: .utf8
    )
    .replacing(
      "</head>",
      with: "<link href=\"\(base)/css/style.css\" rel=\"stylesheet\">"
        + "<script src=\"\(base)/js/fold.js\" defer></script></head>",
      maxReplacements: 1
    )
    .replacing(/<body[^>]*>/, maxReplacements: 1) { "\($0.output)\(custom)" }
    for file in ["css/style.css", "js/fold.js"] {
      let part = parts.appending(path: file.split(separator: "/")[1].description)
      try FileManager.default.copyItem(at: part, to: archive.folder.appending(path: file))
    }
  }

  func write() throws {
    for name in archive.pages.keys {
      let html = template.replacing("<title>Documentation</title>", with: head(of: name))
      try write(html, to: "documentation/\(name)/index.html")
    }
    // DocC's script shows nothing at the root of the site.
    try write(
      """
      <!doctype html><html lang="en"><head><meta charset="utf-8">\(head(of: ""))
      <link rel="canonical" href="documentation/"><meta http-equiv="refresh" content="0; url=documentation/"></head>
      <body><a href="documentation/">\(escaped(archive.title(of: "")))</a></body></html>
      """, to: "index.html")
    try nameSiteInScript()
  }

  /// Sets the name of the site in the script. The browser's script sets the title again. It reads the name of
  /// the site from a file, but only after it has set the title.
  private func nameSiteInScript() throws {
    try write(#"{"meta":{"title":"SimpleEvents"}}"#, to: "theme-settings.json")
    let folder = archive.folder.appending(path: "js")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let script = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let named = script.replacing(
        #"["meta","title"],"Documentation""#, with: #"["meta","title"],"SimpleEvents""#)
      if named != script { try write(named, to: "js/\(name)") }
    }
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(to: archive.folder.appending(path: path), atomically: true, encoding: .utf8)
  }

  private func head(of name: String) -> String {
    let title = name == "" ? archive.title(of: "") : "\(archive.title(of: name)) | SimpleEvents"
    let abstract = plainText(archive.abstract(of: name))
    // A list of default implementations has no abstract.
    let description = abstract.isEmpty ? title : abstract
    return "<title>\(escaped(title))</title><meta name=\"description\" content=\"\(escaped(description))\">"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
