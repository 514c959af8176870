/// The state that a list with one block does not need: further observers, weak observers and diagnostics.
final class ListDetails {
  static let smallestSweep: Int32 = 8
  /// The details of the list of an event that has been deallocated.
  ///
  /// SAFETY: lists share this instance, and none changes it: only tokens still refer to a closed list, and a
  /// token only removes.
  nonisolated(unsafe) static let closed: ListDetails = ListDetails(nil)

  /// The diagnostics of the list; nil if diagnostics are off and the list has no label.
  let watch: ListDiagnostics?
  // The list's lock guards the following properties.
  /// The observers after the first one.
  ///
  /// SAFETY: exclusivity is not checked at run time, because the lock ensures it.
  @exclusivity(unchecked) var others: EntrySlots<ObserverEntry> = EntrySlots()
  /// The number of observers at which to look for deallocated ones, so that a hub that is only added to does
  /// not accumulate them (H9).
  var sweepLength: Int32 = smallestSweep
  /// The weak observers, keyed by identity. A stand-in replaces a deallocated one.
  var byID: [ObjectIdentifier: ObserverEntry] = [:]

  init(_ watch: ListDiagnostics?) { self.watch = watch }
}
