/// The man page, made from the table of options that the help also uses.
package enum ManPage {
  package static let text: String =
    """
    .TH COALESCE 1 "" "SimpleEvents \(HelpText.version)"
    .SH NAME
    coalesce \\- turn many lines into few deliveries
    .SH SYNOPSIS
    .B coalesce
    .RI [ OPTION ]...
    .RB [ \\-\\-
    .IR COMMAND " [" ARG ]...]
    .br
    .B coalesce timeline
    .RI [ OPTION ]...
    .SH DESCRIPTION
    Each line of standard input is a signal.
    A policy decides when to deliver.
    A delivery writes the newest line to standard output, or runs the command without a shell, one run at a \
    time unless \\-\\-jobs allows more.
    With \\-\\-by, each value of a field has a window, deliveries and runs of its own.
    At the end of the input the program makes the pending deliveries immediately, or as fast as \\-\\-rate \
    allows, waits for the commands in progress, and exits.
    .PP
    A TIME is a number with one of the units ns, us, ms, s, m (or min), h and d; a number alone is in seconds.
    .SH POLICIES
    \(entries(OptionSpec.policies)).SH KEYS AND RATES
    \(entries(OptionSpec.keys)).SH LINES
    \(entries(OptionSpec.outputs)).SH COMMANDS
    \(entries(OptionSpec.commands)).SH REPORTS
    \(entries(OptionSpec.reports)).SH OTHER OPTIONS
    \(entries(OptionSpec.general)).SH TIMELINE
    Draws the deliveries of the policies for given events, in virtual time.
    A delivery has the name of its newest event; the windows are shaded.
    \(entries(OptionSpec.timeline)).SH ENVIRONMENT OF THE COMMAND
    .TP
    .B COALESCE_LAST
    The newest line, up to its first zero byte and at most 65,536 bytes of it.
    .TP
    .B COALESCE_COUNT
    The number of lines since the previous run. With \\-\\-by, only lines of the key count. Lines that
    \\-\\-settle has dropped do not count.
    .TP
    .B COALESCE_DROPPED
    The number of these lines that \\-\\-limit has dropped from standard input.
    .TP
    .B COALESCE_KEY
    With \\-\\-by, the key of the lines.
    .SH ENVIRONMENT OF THE PROGRAM
    .TP
    .B NO_COLOR, TERM
    timeline draws in colours on a terminal, unless NO_COLOR is set and not empty, or TERM is dumb.
    .TP
    .B LC_ALL, LC_CTYPE, LANG
    If the first of these variables that is set and not empty does not name UTF\\-8, timeline draws in ASCII.
    .TP
    .B TZ
    The time zone of \\-\\-timestamps.
    .TP
    .B TMPDIR
    The directory of the file for \\-\\-stdin, if the system has no files in memory.
    .SH FILES
    The program watches no file.
    Use inotifywait, fswatch or a similar program, which writes a line for each change.
    .SH TERMINAL
    COMMAND has a process group of its own, which a terminal treats as a job in the background.
    The system stops a command that reads from the terminal or asks for a password; the program then reports \
    and ends the command.
    Use \\-\\-foreground for such a command.
    .SH SIGNALS
    SIGINT, SIGTERM, SIGHUP and SIGQUIT end the program.
    Without a command it first writes the pending lines, for at most one second: lines that standard output \
    has not taken by then are lost.
    With a command it drops them, and ends the process group of each command in progress: SIGTERM, SIGCONT, \
    and SIGKILL after \\-\\-grace.
    After a second signal the program sends SIGKILL to the groups and exits immediately.
    The same signal again within half a second is the same request: a shell and timeout(1) may send a signal \
    twice.
    SIGTSTP, as of the suspend key, stops the process groups and then the program; when the program \
    continues, the groups continue.
    A signal that is ignored at the start, as under nohup, stays ignored.
    .PP
    Processes that the command has left in the background continue after it, unless \\-\\-kill\\-group is \
    given.
    .SH EXIT STATUS
    The status of the command that has ended last. If signal n has ended the command, the status is 128 + n.
    .TP
    .B 0
    Success: there was no command, or it was not run.
    .TP
    .B 1
    Standard input or the file of a timeline cannot be read, the file has a word that is not a time, \
    standard output or the file of \\-\\-trace or \\-\\-svg cannot be written, no thread can be started, \
    or there is no memory for a line.
    .TP
    .B 64
    The command line is wrong, or a word before \\-\\- is not UTF\\-8.
    .TP
    .B 126, 127
    The command is not executable (126), or cannot be started for another reason (127).
    .TP
    .B 128 + n
    Signal n has ended the program.
    .TP
    .B 141
    The reader of standard output has closed it.
    .SH EXAMPLES
    \(examples).SH SEE ALSO
    .BR timeout (1),
    .BR inotifywait (1),
    .BR fswatch (7)

    """

  private static func entries(_ specs: [OptionSpec]) -> String {
    specs.map { spec in
      let name = escaped(spec.name)
      let value = spec.value.map { " \" \" \\fI\($0.name)\\fR" } ?? ""
      let brief = escaped(spec.brief.prefix(1).uppercased() + spec.brief.dropFirst() + ".")
      // Each sentence begins on a line of its own, so that the formatter recognises its end.
      let detail = spec.detail.isEmpty ? "" : escaped(spec.detail).replacing(". ", with: ".\n") + "\n"
      return ".TP\n.BR \(name)\(value)\n\(brief)\n\(detail)"
    }.joined()
  }

  private static var examples: String {
    HelpText.examples.map { example in
      "\(escaped(example.sentence))\n.PP\n.nf\n.RS\n\(escaped(example.command))\n.RE\n.fi\n"
    }.joined(separator: ".PP\n")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").split(separator: "-", omittingEmptySubsequences: false).joined(
      separator: "\\-")
  }
}
