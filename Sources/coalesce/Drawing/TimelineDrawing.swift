internal import CPlatform
internal import SimpleEvents
internal import SimpleEventsTesting

/// Draws policies, on the terminal or as a picture.
final class TimelineDrawing: Job {
  private let settings: TimelineSettings
  private let recording: ArrivalRecording = ArrivalRecording()
  /// Whether the recording was drawn. The lock is held during the drawing. Both the end of the input and a
  /// signal end the program, each on a thread of its own. The lock keeps one thread from exiting while the
  /// other draws.
  private let isDrawn: Guarded<Bool> = Guarded(false)

  init(_ settings: TimelineSettings) {
    self.settings = settings
  }

  func run() -> Int32 {
    do throws(SystemError) {
      switch settings.source {
      case .times(let times): return draw(times)
      case .arrivals: return drawOnce(try recording.record())
      case .file(let path):
        let text = String(decoding: try InputFile.contents(of: path), as: UTF8.self)
        guard let times = Quantity.instants(text) else {
          Output.report(
            "\(path): give times in \(Quantity.units), as in 0 40ms 1.5s, up to \(Quantity.latest)")
          return EXIT_FAILURE
        }
        return draw(times)
      }
    } catch {
      if case .file(let path) = settings.source, path != "-" {
        Output.report("cannot read \(path): \(error.reason)")
        return EXIT_FAILURE
      }
      return Output.reportInputFailure(error)
    }
  }

  func end() {
    if settings.source == .arrivals { _ = drawOnce(recording.arrivals) }
  }

  var endLimit: Duration { .seconds(2) }

  func abandon() {}

  private func drawOnce(_ arrivals: ArrivalRecording.Arrivals) -> Int32 {
    isDrawn.withLock { isDrawn in
      guard !isDrawn else { return EXIT_SUCCESS }
      isDrawn = true
      if arrivals.times.count < arrivals.lineCount {
        Output.report("recorded the first \(arrivals.times.count) lines of \(arrivals.lineCount)")
      }
      return draw(arrivals.times)
    }
  }

  private func draw(_ events: [Duration]) -> Int32 {
    let maxWait = settings.maxWait ?? settings.interval * 2
    let rows = settings.rows.map { row in
      Timeline.Row(
        row.rawValue, of: events, by: row.policy(interval: settings.interval, maxWait: maxWait))
    }
    let timeline = Timeline([Timeline.Row(events: events)] + rows)
    guard let path = settings.picture else {
      let text = timeline.text(
        width: Terminal.width, isASCII: settings.isASCII || Terminal.isASCII, hasColor: Terminal.hasColor)
      Output.standard.writeOrExit(Array("\(text)\n".utf8)[...])
      return EXIT_SUCCESS
    }
    let picture = Array(timeline.svg.utf8)[...]
    if path == "-" {
      Output.standard.writeOrExit(picture)
      return EXIT_SUCCESS
    }
    do throws(SystemError) {
      try Output.replaceFile(path, by: picture)
      return EXIT_SUCCESS
    } catch {
      Output.report("cannot write \(path): \(error.reason)")
      return EXIT_FAILURE
    }
  }
}
