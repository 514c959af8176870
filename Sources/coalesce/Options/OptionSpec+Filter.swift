extension OptionSpec {
  package static let policies: [OptionSpec] = [
    OptionSpec(
      name: "--debounce", value: .time, brief: "deliver after a pause of TIME",
      detail: "Further lines postpone the delivery, unless --max-wait limits the wait."),
    OptionSpec(
      name: "--throttle", value: .time,
      brief: "deliver immediately, then at most once in TIME; lines read together are one delivery",
      detail: "The default policy is --throttle 100ms."),
    OptionSpec(
      name: "--audit", value: .time, brief: "deliver TIME after the first line",
      detail: "The next line opens the next window."),
    OptionSpec(name: "--next-turn", brief: "deliver as soon as the previous delivery has ended"),
    OptionSpec(
      name: "--max-wait", value: .time, brief: "with --debounce: wait no longer than TIME",
      detail: """
        The time counts from the first line. After a delivery that --max-wait forces, it counts from that \
        delivery. A TIME that is shorter than that of --debounce is raised to it, with a warning.
        """),
    OptionSpec(
      name: "--edges", value: .word(name: "EDGES", ["leading", "trailing", "both"]),
      brief: "deliver at the leading or trailing end of TIME, or both",
      detail: """
        The option is for --debounce (default trailing) and for --throttle (default both). It also applies \
        if no policy is given. The leading end is the first line, which is delivered immediately.
        """),
  ]

  package static let outputs: [OptionSpec] = [
    OptionSpec(
      name: "--all", brief: "deliver every line instead of the newest, up to --limit",
      detail: """
        If the lines of a delivery have more bytes than --limit, the oldest lines are dropped. Their number \
        is written on standard error, for each such delivery and at the end in total.
        """),
    OptionSpec(
      name: "--distinct", brief: "deliver every line once, up to --limit",
      detail: "If the lines have more bytes than --limit, the newest lines are dropped."),
    OptionSpec(name: "--count", brief: "write the number of lines instead of the newest line"),
    OptionSpec(
      name: "--timestamps", brief: "write the local time before each line",
      detail: "The time is that of the delivery, in the form of ISO 8601."),
    OptionSpec(name: "--null", brief: "lines end with a zero byte instead of a newline"),
    OptionSpec(
      name: "--limit", value: .size,
      brief: "keep at most BYTES for a delivery (default 1M), or none for no limit",
      detail: """
        The bytes of all lines with their newlines count. A line that has more bytes, without its newline, \
        is cut. The first cut line that is delivered is reported on standard error. BYTES may have one of \
        the units K, M and G. With none, the memory grows with the lines of a delivery.
        """),
  ]

  package static let commands: [OptionSpec] = [
    OptionSpec(
      name: "--when-busy", value: .word(name: "MODE", FilterSettings.BusyMode.allCases.map(\.rawValue)),
      brief: "lines during a run: rerun (default), restart or ignore",
      detail: """
        With rerun, one more run starts at the end of the current run. With restart, the current run is \
        ended, and the next starts when it has ended. With ignore, the lines start no run, and are part of \
        the next delivery, if one follows. With --by they are dropped if there is no room for further lines.
        """),
    OptionSpec(
      name: "--jobs", value: .count(limit: 1000),
      brief: "with --by: run N commands at the same time (default 1)",
      detail: """
        The runs of one key never overlap. Keys run in the order in which their runs are due; a key that has \
        lines during its run runs again after the other keys that are due.
        """),
    OptionSpec(
      name: "--settle", value: .time, brief: "drop the lines that come during a run and for TIME after it",
      detail: """
        Use this option for a command that writes into the watched folder, so that its own changes start no \
        run. Other changes in that time are dropped as well. TIME must cover the delay of the watcher. \
        --stats counts the dropped lines.
        """),
    OptionSpec(
      name: "--now", brief: "run once at the start, before any line",
      detail: "COALESCE_COUNT is 0 in this run, unless lines have come already."),
    OptionSpec(
      name: "--stdin", brief: "give COMMAND the lines on its standard input",
      detail: """
        The standard input is a file with every line of the delivery. Without this option it is /dev/null, \
        or the terminal with --foreground.
        """),
    OptionSpec(
      name: "--foreground",
      brief: "leave COMMAND in the terminal's process group, so that it may use the terminal",
      detail: """
        The standard input of COMMAND is then the terminal, unless --stdin is given. Only the process of \
        COMMAND is ended, not the processes that it has started. Without this option COMMAND has a process \
        group of its own, in the background of the terminal. The system stops COMMAND there if it reads from \
        the terminal, asks for a password or, with stty tostop, writes; COMMAND is then reported and ended.
        """),
    OptionSpec(
      name: "--kill-group", brief: "before a run, end the processes that the previous run has left",
      detail: """
        Without this option, processes that COMMAND has started in the background continue after the end of \
        COMMAND. With this option they are ended before the next run starts, and when a signal ends the \
        program. At the end of the input they continue.
        """),
    OptionSpec(
      name: "--grace", value: .time, brief: "send SIGKILL to COMMAND a TIME after SIGTERM (default 5s)",
      detail: "To end COMMAND, its process group gets SIGTERM and SIGCONT, and after TIME SIGKILL."),
    OptionSpec(
      name: "--clear", brief: "clear the terminal before a run",
      detail: "It has no effect if standard output is not a terminal, or if TERM is dumb."),
    OptionSpec(name: "--verbose", brief: "write status and duration of each run on standard error"),
  ]

  package static let reports: [OptionSpec] = [
    OptionSpec(
      name: "--stats", brief: "write counts and times on standard error at the end",
      detail: """
        The counts are those of lines, deliveries and runs. A delivery or a run has a latency, which is the \
        time from its first signal to its start, and a duration. A signal is one read from the input. With \
        --by, it is one read that has lines of the key. Without --by, a signal of a run is a delivery, or \
        --now.
        """),
    OptionSpec(
      name: "--trace", value: .file,
      brief: "write the deliveries into FILE: JSON, or .svg for a picture",
      detail: """
        FILE is opened at the start and written at the end, with the latest 10,000 deliveries and runs. The \
        JSON has the trace-event format, which Perfetto and chrome://tracing show.
        """),
  ]

  package static let general: [OptionSpec] = [
    OptionSpec(name: "--help", brief: "print the help"),
    OptionSpec(name: "--man", brief: "print the man page"),
    OptionSpec(
      name: "--completions", value: .word(name: "SHELL", Completions.Shell.allCases.map(\.rawValue)),
      brief: "print the completions for bash, zsh or fish"),
    OptionSpec(name: "--version", brief: "print the version"),
  ]

  package static let filter: [OptionSpec] = policies + keys + outputs + commands + reports + general
}
