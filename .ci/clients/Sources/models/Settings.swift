import Observation
import SimpleEvents

/// A model that is observed by SwiftUI as well.
@MainActor
@Observable
final class Settings {
  var font = "Mono"
  var size = 12
}

@MainActor
func showSettings() async {
  let settings = Settings()
  let didChange = ObservationEvent { _ = (settings.font, settings.size) }
  let changes = didChange.notifications
  var styles: [String] = []
  let token = didChange.addObserver { _ in styles.append("\(settings.font) \(settings.size)") }
  settings.font = "Serif"
  settings.size = 14
  for await _ in changes where !styles.isEmpty { break }
  print("@Observable:", styles)
  withExtendedLifetime(token) {}
}
