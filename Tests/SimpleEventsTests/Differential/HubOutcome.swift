/// The observable effects of a program on a hub.
struct HubOutcome {
  /// Calls, deallocations and misuses, in order.
  var trace: [String] = []
  /// The number of deallocated observers that were flagged. It is not part of the trace, because the contract
  /// does not say when they are flagged.
  var neverRemoved: Int = 0
  /// The number of observers that were deallocated without having been removed.
  var deallocations: Int = 0
}
