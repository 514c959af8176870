/// The observable effects of a program on a hub.
struct HubOutcome {
  /// Calls, deallocations and misuses, in order.
  var trace: [String] = []
  /// How many deallocated observers were flagged. Not part of the trace, since the contract leaves open when.
  var neverRemoved: Int = 0
  /// How many observers were deallocated without having been removed.
  var deallocations: Int = 0
}
