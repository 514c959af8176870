extension OptionSpec {
  package static let policies: [OptionSpec] = [
    OptionSpec(
      name: "--debounce", value: "TIME", brief: "deliver after a pause of TIME",
      detail: "Lines that keep coming postpone the delivery, unless --max-wait limits the wait."),
    OptionSpec(
      name: "--throttle", value: "TIME",
      brief: "deliver at once, then at most once in TIME; lines that come together are one delivery",
      detail: "Without a policy, --throttle 100ms holds."),
    OptionSpec(
      name: "--audit", value: "TIME", brief: "deliver TIME after the first line",
      detail: "The next line opens the next window."),
    OptionSpec(name: "--next-turn", brief: "deliver as soon as the delivery before has ended"),
    OptionSpec(
      name: "--max-wait", value: "TIME", brief: "with --debounce: wait no longer than TIME",
      detail: "The time counts from the first line, then from each delivery that it forces."),
    OptionSpec(
      name: "--edges", value: "EDGES", words: ["leading", "trailing", "both"],
      brief: "deliver at the leading or trailing end of TIME, or both",
      detail: """
        It goes with --debounce, whose default is trailing, and with --throttle, whose default is both. The leading end \
        is the first line, which is delivered at once.
        """),
  ]

  package static let outputs: [OptionSpec] = [
    OptionSpec(
      name: "--all", brief: "deliver every line instead of the newest",
      detail: "The lines of a delivery are bounded by --limit: the oldest ones are dropped."),
    OptionSpec(
      name: "--distinct", brief: "deliver every line once",
      detail: "The lines of a delivery are bounded by --limit: the newest ones are dropped."),
    OptionSpec(name: "--count", brief: "write the number of lines instead of the newest"),
    OptionSpec(
      name: "--timestamps", brief: "write the local time before each line",
      detail: "It is the time of the delivery, in the form of ISO 8601."),
    OptionSpec(name: "--null", brief: "lines end with a zero byte instead of a newline"),
    OptionSpec(
      name: "--limit", value: "BYTES", brief: "keep at most BYTES for a delivery (default 1M)",
      detail: """
        The bytes of all lines with their newlines count. A longer line is cut, with one notice on standard error. \
        BYTES may have one of the units K, M and G.
        """),
  ]

  package static let commands: [OptionSpec] = [
    OptionSpec(
      name: "--when-busy", value: "MODE", words: ["rerun", "restart", "ignore"],
      brief: "lines during a run: rerun (default), restart or ignore",
      detail: """
        With rerun, one more run starts at the end of the current one. With restart, the current run is ended, and the \
        next starts when it has ended. With ignore, the lines start no run, and are part of the next delivery.
        """),
    OptionSpec(
      name: "--stdin", brief: "give COMMAND the lines on its standard input",
      detail: "It is a file with every line of the delivery. Without this option it is /dev/null."),
    OptionSpec(
      name: "--grace", value: "TIME", brief: "kill COMMAND a TIME after asking it to end (default 5s)",
      detail: "To end it, its process group gets SIGTERM, and after TIME SIGKILL."),
  ]

  package static let general: [OptionSpec] = [
    OptionSpec(name: "--help", brief: "print this text"),
    OptionSpec(name: "--man", brief: "print the man page"),
    OptionSpec(name: "--version", brief: "print the version"),
  ]

  package static let filter: [OptionSpec] = policies + outputs + commands + general
}
