import SimpleEvents
import SimpleObservables
import TestSupport
import Testing

/// The rows of the article about Snail.
struct SnailRows {
  @Test("Snail: every row of the article is executed")
  func article() throws {
    let rows = try rowsOfArticle("MigratingFromSnail")
    #expect(rows.sorted() == Self.all.keys.sorted())
  }

  @Test("Snail: the statement of the row is true", arguments: all.keys.sorted())
  func row(_ there: String) async throws {
    try await Self.all[there]?()
  }

  private static let all: [String: MigrationRow] =
    subscriptions.merging(subjects) { $1 }.merging(operators) { $1 }.merging(time) { $1 }
}
