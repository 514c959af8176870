internal import CPlatform

/// A Unix filter that coalesces lines: each line is a signal, and each delivery writes lines or runs a command.
@main
struct Coalesce {
  static func main() {
    StandardFiles.occupy()
    let signals = EndSignals()
    let invocation: Invocation
    do {
      invocation = try Invocation.parse(Array(CommandLine.arguments.dropFirst()))
    } catch {
      try? Output.errors.write(Array(error.text.utf8)[...])
      _exit(UsageError.status)
    }
    switch invocation {
    case .text(let text):
      Output.standard.writeOrExit(Array(text.utf8)[...])
      _exit(EXIT_SUCCESS)
    case .filter(let settings):
      if settings.command.isEmpty {
        Jobs.run(LineFilter(settings), endedBy: signals)
      } else {
        Jobs.run(CommandRunner(settings), endedBy: signals)
      }
    case .timeline(let settings):
      Jobs.run(TimelineDrawing(settings), endedBy: signals)
    }
  }
}
