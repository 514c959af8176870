import SimpleEvents
import SimpleEventsLoops

/// A model of the main actor that saves its own changes, in batches.
@MainActor
final class Notebook {
  nonisolated struct Note: Sendable {
    let title: String
    let text: String
  }

  private struct DiskIsFull: Error {}

  private let changes = BatchLoop<Note>(
    policy: .debounce(.milliseconds(5)), keeping: .distinct(1000, by: \.title),
    retry: .constant(.milliseconds(5)), label: "notes")
  private var isDiskFull = true
  private(set) var saved: [String] = []

  func write(_ text: String, in title: String) { changes.add(Note(title: title, text: text)) }

  func saveChanges() async {
    await changes.run {
      try await self.save($0)
    } onError: { error, notes in
      self.isDiskFull = false
    }
  }

  func settle() async { await changes.settle() }

  func close() async { await changes.finish() }

  private func save(_ notes: ElementBatch<Note>) async throws {
    await Task.yield()
    guard !isDiskFull else { throw DiskIsFull() }
    saved += notes.map { "\($0.title): \($0.text)" }
  }
}

@MainActor
func showNotebook() async {
  let notebook = Notebook()
  let saving = Task { await notebook.saveChanges() }
  notebook.write("milk", in: "shop")
  notebook.write("tea", in: "shop")
  notebook.write("call home", in: "today")
  await notebook.settle()
  notebook.write("sleep", in: "today")
  await notebook.close()
  await saving.value
  print("batches:", notebook.saved)
}
