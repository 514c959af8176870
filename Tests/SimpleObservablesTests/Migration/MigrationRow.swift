import Foundation

/// A function that executes the statement of a row of a migration article.
typealias MigrationRow = @Sendable () async throws -> Void

/// Returns the first cells of the table of an article.
func rowsOfArticle(_ name: String) throws -> [String] {
  let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
  let article = try String(
    contentsOf: root.appending(path: "Sources/SimpleObservables/SimpleObservables.docc/\(name).md"),
    encoding: .utf8)
  let cells = article.split(separator: "\n").filter { $0.hasPrefix("| ") }
    .map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
  // The first of these cells is the heading of the column.
  return Array(cells.dropFirst())
}
