internal import Dispatch
internal import SimpleEvents

/// The arrival times of the lines of standard input.
final class ArrivalRecording: Sendable {
  /// The arrivals so far.
  struct Arrivals {
    /// The times of the recorded lines, measured from the first line.
    var times: [Duration] = []
    /// The number of lines that have arrived.
    var lineCount: Int = 0
  }

  /// The largest number of lines that are recorded.
  private static let limit: Int = 10_000

  /// Guards the arrivals.
  private let state: Guarded<Arrivals> = Guarded(Arrivals())

  /// The arrivals so far.
  var arrivals: Arrivals { state.withLock { $0 } }

  /// Records the arrivals until the end of standard input.
  func record() throws(SystemError) -> Arrivals {
    let input = InputFile.standard
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var splitter = LineSplitter(limit: 1)
    var start: EventInstant?
    while true {
      let count = try input.readSome(&buffer)
      let now = DispatchQueue.main.now
      state.withLock { arrivals in
        let arrival = (start ?? now).duration(to: now)
        let add = { (_: ArraySlice<UInt8>, _: Bool) in
          if arrivals.times.count < Self.limit { arrivals.times.append(arrival) }
          arrivals.lineCount += 1
        }
        if count > 0 {
          splitter.split(buffer[..<count], add)
        } else {
          splitter.finish(add)
        }
        if arrivals.lineCount > 0 { start = start ?? now }
      }
      if count == 0 { return arrivals }
    }
  }
}
