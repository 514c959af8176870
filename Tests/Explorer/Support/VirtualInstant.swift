internal import ExplorerEngine
internal import SimpleEvents

/// The instant a number of milliseconds after the start of an execution.
func instant(_ milliseconds: Int) -> EventInstant {
  EventInstant(nanoseconds: VirtualTime.start + Int64(milliseconds) * 1_000_000)
}
