/// The settings of `coalesce timeline`.
package struct TimelineSettings: Equatable, Sendable {
  /// The origin of the events.
  package enum Source: Equatable, Sendable {
    case times([Duration])
    /// The path of a file; `-` for standard input.
    case file(String)
    case arrivals
  }

  package var source: Source
  package var interval: Duration = .milliseconds(100)
  package var maxWait: Duration?
  package var rows: [PolicyRow] = PolicyRow.allCases
  /// The path of the picture, or `-` for standard output; nil to draw on the terminal.
  package var picture: String?
  package var isASCII: Bool = false
  /// A warning about the command line, for standard error; nil if there is none.
  package var warning: String?

  package init(source: Source) {
    self.source = source
  }

  static func parse(_ words: ArraySlice<String>) throws(UsageError) -> Invocation {
    var settings = TimelineSettings(source: .times([]))
    var source: String?
    var arguments = ArgumentReader(
      words, OptionSpec.timeline, expected: "events follow --events, as in --events 0,40ms,80ms")
    while let (spec, value) = try arguments.next() {
      switch spec.name {
      case "--help": return .text(HelpText.timeline)
      case "--events", "--file", "--record":
        if let source {
          throw UsageError("\(source) and \(spec.name) cannot be combined")
        }
        source = spec.name
        switch spec.name {
        case "--events":
          guard let times = Quantity.instants(value), !times.isEmpty else { throw spec.error(value) }
          settings.source = .times(times)
        case "--file": settings.source = .file(value)
        default: settings.source = .arrivals
        }
      case "--interval": settings.interval = try FilterSettings.time(value, of: spec)
      case "--max-wait": settings.maxWait = try FilterSettings.time(value, of: spec)
      case "--policy":
        settings.rows = []
        for name in value.split(separator: ",") {
          guard let row = PolicyRow(rawValue: String(name)) else { throw spec.error(value) }
          settings.rows.append(row)
        }
        if settings.rows.isEmpty { throw spec.error(value) }
      case "--svg": settings.picture = value
      default: settings.isASCII = true
      }
    }
    if arguments.command != nil { throw UsageError("timeline runs no command") }
    if source == nil { throw UsageError("give events with --events, --file or --record") }
    if let maxWait = settings.maxWait, maxWait < settings.interval {
      settings.warning = "--max-wait is raised to the time of --interval"
    }
    return .timeline(settings)
  }
}
