import Foundation
import Testing

/// A piece of Swift code in the documentation.
struct Snippet: CustomTestStringConvertible {
  /// The file that contains the snippet, relative to the package.
  let file: String
  let code: String

  /// The lines of code that are compared. Indentation, empty lines, imports, and lines that are marked as
  /// hidden are removed.
  var essence: String { Self.essence(of: code) }

  var testDescription: String { "\(file): \(code.prefix { $0 != "\n" })" }

  static func essence(of code: String) -> String {
    code.split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasSuffix("// hidden") }
      .joined(separator: "\n")
  }

  /// Whether each code span in a line ends with as many backquotes as it begins with, and no link to a symbol
  /// contains white space. A span in single backquotes may continue on the next line.
  static func hasWholeSpans(_ line: Substring) -> Bool {
    var rest = line.replacing("\\`", with: "")
    while let start = rest.firstMatch(of: /`+/) {
      let isLink = start.output.count == 2
      guard start.output.count < 3 else { return false }
      rest = rest[start.range.upperBound...]
      guard let end = rest.firstMatch(of: /`+/) else { return !isLink }
      guard end.output.count == start.output.count else { return false }
      if isLink && rest[..<end.range.lowerBound].contains(where: \.isWhitespace) { return false }
      rest = rest[end.range.upperBound...]
    }
    return true
  }
}

/// The files of the package.
enum Package {
  static let root: URL =
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the files under a folder whose names end in an extension, relative to the package.
  static func files(under folder: String, _ fileExtension: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".\(fileExtension)") && !$0.contains(".build") }
      .sorted()
      .map { "\(folder)/\($0)" }
  }

  /// Returns the README and the articles.
  static func articles() throws -> [String] { try ["README.md"] + files(under: "Sources", "md") }

  /// Returns the Swift snippets of the README, the articles and the documentation comments.
  static func snippets() throws -> [Snippet] {
    let articles = try articles()
    let sources = try files(under: "Sources", "swift")
    return try articles.flatMap { try snippets(in: $0) } + sources.flatMap { try documented(in: $0) }
  }

  private static func snippets(in file: String) throws -> [Snippet] {
    fenced(try text(file)).map { Snippet(file: file, code: $0) }
  }

  private static func documented(in file: String) throws -> [Snippet] {
    let comments = try text(file).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.trimmingCharacters(in: .whitespaces)
      return line.hasPrefix("///") ? String(line.dropFirst(3)) : ""
    }
    return fenced(comments.joined(separator: "\n")).map { Snippet(file: file, code: $0) }
  }

  private static func fenced(_ text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }
}
