extension OptionSpec {
  package static let keys: [OptionSpec] = [
    OptionSpec(
      name: "--by", value: .field,
      brief: "a window for each value of a field, 1 the first, 0 the line; {} in COMMAND is the value",
      detail: """
        The value is the key of the line. A delivery has the lines of one key. Fields are separated by any \
        number of spaces and tabs, as for awk. A line without the field has the empty key. Each {} in the \
        arguments of COMMAND is replaced by the key. No shell reads the key. COALESCE_KEY has it as well. \
        With --count the key follows the number. A key ends before a zero byte, and has at most 65,536 \
        bytes. When 10,000 keys have lines, or their lines have many times the bytes of --limit, no further \
        line is read until both are below half of these numbers. --when-busy and --settle apply to each key.
        """),
    OptionSpec(
      name: "--separator", value: .character, brief: "with --by: each CHAR ends a field, as for cut -d",
      detail: "CHAR is an ASCII character, or \\t for a tab. A field can then be empty."),
    OptionSpec(
      name: "--rate", value: .rate,
      brief: "deliver at most N times in TIME, over all keys: 10/s, 100/m, 1/500ms",
      detail: """
        With COMMAND, the deliveries are its runs. With --by alone, a delivery writes lines. The deliveries \
        have equal distances. A delivery that is due waits, also at the end of the input, and has all lines \
        that come meanwhile. After a signal to the tool, no line waits for the rate. In the reports the wait \
        is a part of the duration.
        """),
    OptionSpec(
      name: "--burst", value: .count(limit: 1_000_000),
      brief: "with --rate: after a pause, N deliveries need not wait (default 1)"),
  ]
}
