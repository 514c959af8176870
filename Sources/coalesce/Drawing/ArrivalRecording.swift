internal import Dispatch
internal import SimpleEvents

/// The arrival times of the lines of standard input.
final class ArrivalRecording: Sendable {
  /// The largest number of lines that are recorded.
  private static let limit: Int = 10_000

  /// Guards the times since the first line.
  private let arrivals: Guarded<[Duration]> = Guarded([])

  /// The times of the recorded lines, since the first one.
  var times: [Duration] { arrivals.withLock { $0 } }

  /// Records until the end of standard input.
  func record() throws(SystemError) -> [Duration] {
    let input = InputFile.standard
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var splitter = LineSplitter(limit: 1)
    var start: EventInstant?
    while true {
      let count = try input.readSome(&buffer)
      let now = DispatchQueue.main.now
      arrivals.withLock { arrivals in
        let arrival = (start ?? now).duration(to: now)
        let add = { (_: ArraySlice<UInt8>, _: Bool) in
          if arrivals.count < Self.limit { arrivals.append(arrival) }
        }
        if count > 0 {
          splitter.split(buffer[..<count], add)
        } else {
          splitter.finish(add)
        }
        if !arrivals.isEmpty { start = start ?? now }
      }
      if count == 0 { return times }
    }
  }
}
