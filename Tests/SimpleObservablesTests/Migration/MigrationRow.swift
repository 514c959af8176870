import Foundation

/// What a row of a migration article says, executed.
typealias MigrationRow = @Sendable () async throws -> Void

/// The first cells of the table of an article.
func rowsOfArticle(_ name: String) throws -> [String] {
  let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
  let article = try String(
    contentsOf: root.appending(path: "Sources/SimpleObservables/SimpleObservables.docc/\(name).md"),
    encoding: .utf8)
  let cells = article.split(separator: "\n").filter { $0.hasPrefix("| ") }
    .map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
  // Without the names of the columns.
  return Array(cells.dropFirst())
}
