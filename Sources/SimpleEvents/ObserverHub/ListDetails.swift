/// The state that most lists of observers do without: the subject of diagnostics, vacancies, weak observers.
final class ListDetails {
  static let smallestSweep: Int = 8

  let subject: DiagnosticSubject
  /// Whether misuse is looked for.
  let isWatched: Bool
  // The list's lock guards all that follows.
  /// Whether the event that the list belonged to has been deallocated.
  var isClosed: Bool = false
  /// The number of empty slots in the list.
  var vacancies: Int = 0
  /// The weak observers by identity, and stand-ins for the ones found deallocated.
  var byID: [ObjectIdentifier: ObserverEntry] = [:]
  /// The number of observers at which to look for deallocated ones, so that a hub that is only added to does
  /// not accumulate them (H9).
  var sweepLength: Int = smallestSweep
  var watch: ListWatch

  init(_ subject: DiagnosticSubject, isShared: Bool) {
    self.subject = subject
    isWatched = subject.misuse.isActive
    watch = ListWatch(isShared: isShared)
  }
}
