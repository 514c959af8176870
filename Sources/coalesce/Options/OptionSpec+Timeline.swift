extension OptionSpec {
  package static let timeline: [OptionSpec] = [
    OptionSpec(
      name: "--events", value: .instants, brief: "the instants of the events, separated by commas",
      detail: "The latest one is at \(Quantity.latest)."),
    OptionSpec(
      name: "--file", value: .file, brief: "read the instants from a file, - for standard input",
      detail: "They are separated by commas, spaces or newlines."),
    OptionSpec(
      name: "--record", brief: "use the arrival times of the lines of standard input",
      detail:
        "They count from the first line. SIGINT ends the recording. The first 10,000 lines are recorded."),
    OptionSpec(name: "--interval", value: .time, brief: "the TIME of the policies (default 100ms)"),
    OptionSpec(
      name: "--max-wait", value: .time, brief: "the limit of debounce-max-wait (default twice the interval)"),
    OptionSpec(
      name: "--policy", value: .words(name: "NAMES", PolicyRow.allCases.map(\.rawValue)),
      brief: "the policies to draw, separated by commas (default all)"),
    OptionSpec(
      name: "--svg", value: .file, brief: "write a picture into FILE, - for standard output"),
    OptionSpec(name: "--ascii", brief: "draw with ASCII characters only"),
    OptionSpec(name: "--help", brief: "print the help"),
  ]
}
