internal import ExplorerEngine
internal import SimpleEvents

/// Returns the instant that is a number of milliseconds after the start of an execution.
func instant(_ milliseconds: Int) -> EventInstant {
  EventInstant(nanoseconds: VirtualTime.start + Int64(milliseconds) * 1_000_000)
}
