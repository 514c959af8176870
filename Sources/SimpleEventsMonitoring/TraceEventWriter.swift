internal import SimpleEvents

/// Writes deliveries as trace events.
///
/// The format is described in *Trace Event Format*, a document of the Chromium project.
struct TraceEventWriter {
  /// A source in the trace.
  private struct Track {
    let process: Int
    /// The start of the latest delivery. Slices of one track must not overlap, so the next pending slice does
    /// not begin before this instant.
    var latestStart: EventInstant = EventInstant(nanoseconds: .min)
    /// The end of the latest delivery on each delivery track. A source has several of these tracks if several
    /// of its keys run at the same time.
    var ends: [EventInstant] = []
  }

  private(set) var events: [String] = []
  private var tracks: [Int: Track] = [:]
  private var processes: [String: Int] = [:]
  private var flowCount: Int = 0

  /// Adds a delivery, and its source if the source is new.
  mutating func add(_ delivery: CoalescingDelivery) {
    let source = delivery.source
    var track = tracks[source.id] ?? addTrack(source)
    let thread = addDelivery(delivery, to: &track)
    if let signal = delivery.firstSignal {
      let begin = max(signal, track.latestStart)
      addSlice(
        "pending", "pending", track.process, Self.pendingThread(source), begin,
        begin.duration(to: delivery.start), #"{"signals":\#(delivery.signalCount)}"#)
      flowCount += 1
      let flow = #""name":"signals","cat":"signals","id":\#(flowCount),"pid":\#(track.process)"#
      events.append(
        #"{"ph":"s",\#(flow),"tid":\#(Self.pendingThread(source)),"ts":\#(Self.microseconds(begin))}"#)
      events.append(
        #"{"ph":"f","bp":"e",\#(flow),"tid":\#(thread),"#
          + #""ts":\#(Self.microseconds(delivery.start))}"#)
    }
    addSlice(
      delivery.key.map { "\($0)" } ?? "\(source)", "delivery", track.process, thread, delivery.start,
      delivery.duration, Self.arguments(delivery))
    track.latestStart = delivery.start
    tracks[source.id] = track
  }

  // Track numbers must be positive.
  private static func pendingThread(_ source: CoalescingSource) -> Int { source.id * 2 }

  /// - Parameter index: The index of the track among the delivery tracks of the source.
  private static func deliveryThread(_ source: CoalescingSource, _ index: Int = 0) -> Int {
    source.id * 2 + 1 + index << 20
  }

  /// Finds or adds a track on which no other delivery is in progress; returns the number of the track.
  private mutating func addDelivery(_ delivery: CoalescingDelivery, to track: inout Track) -> Int {
    let end = delivery.start.advanced(by: delivery.duration)
    let index = track.ends.firstIndex { $0 <= delivery.start } ?? track.ends.count
    let thread = Self.deliveryThread(delivery.source, index)
    if index < track.ends.count {
      track.ends[index] = end
    } else {
      track.ends.append(end)
      addThread(thread, "\(delivery.source) deliveries\(index > 0 ? " \(index + 1)" : "")", track.process)
    }
    return thread
  }

  private mutating func addThread(_ thread: Int, _ name: String, _ process: Int) {
    addMetadata("thread_name", process, thread, #""name":\#(Self.quoted(name))"#)
    addMetadata("thread_sort_index", process, thread, #""sort_index":\#(thread)"#)
  }

  private mutating func addTrack(_ source: CoalescingSource) -> Track {
    let scheduler = source.schedulerName ?? "without a scheduler"
    let process = processes[scheduler] ?? processes.count + 1
    if processes.updateValue(process, forKey: scheduler) == nil {
      addMetadata("process_name", process, 0, #""name":\#(Self.quoted(scheduler))"#)
    }
    addThread(Self.pendingThread(source), "\(source) pending", process)
    return Track(process: process)
  }

  private mutating func addMetadata(_ name: String, _ process: Int, _ thread: Int, _ argument: String) {
    events.append(#"{"ph":"M","name":"\#(name)","pid":\#(process),"tid":\#(thread),"args":{\#(argument)}}"#)
  }

  private mutating func addSlice(
    _ name: String, _ category: String, _ process: Int, _ thread: Int, _ start: EventInstant,
    _ duration: Duration, _ arguments: String
  ) {
    events.append(
      #"{"ph":"X","name":\#(Self.quoted(name)),"cat":"\#(category)","pid":\#(process),"tid":\#(thread),"#
        + #""ts":\#(Self.microseconds(start)),"dur":\#(Self.microseconds(duration.saturatingNanoseconds)),"#
        + #""args":\#(arguments)}"#)
  }

  private static func arguments(_ delivery: CoalescingDelivery) -> String {
    var arguments = #"{"signals":\#(delivery.signalCount),"dropped":\#(delivery.droppedCount)"#
    arguments += #","cause":"\#(delivery.cause)""#
    if let signal = delivery.firstSignal {
      arguments += #","latency":\#(microseconds(signal.nanoseconds(to: delivery.start)))"#
    }
    if let error = delivery.error { arguments += #","error":\#(quoted("\(error)"))"# }
    return arguments + "}"
  }

  private static func microseconds(_ instant: EventInstant) -> String { microseconds(instant.nanoseconds) }

  /// A number of nanoseconds in microseconds, with all digits.
  static func microseconds(_ nanoseconds: Int64) -> String {
    let magnitude = nanoseconds.magnitude
    let fraction = String(magnitude % 1000)
    let padding = String(repeating: "0", count: 3 - fraction.count)
    return "\(nanoseconds < 0 ? "-" : "")\(magnitude / 1000).\(padding)\(fraction)"
  }

  /// A string as a JSON literal, with its quotes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
