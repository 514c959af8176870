internal import CPlatform

/// A Unix filter that coalesces lines: each line is a signal, and each delivery writes lines or runs a
/// command.
@main
struct Coalesce {
  static func main() {
    StandardFiles.occupy()
    AwaitedSignals.prepare()
    Defects.announce()
    // On Linux, the Swift runtime reads the arguments from `/proc`. Without `/proc` the array is empty.
    if CommandLine.arguments.isEmpty {
      Output.report("cannot read the arguments: /proc is not mounted")
      _exit(EXIT_FAILURE)
    }
    let invocation: Invocation
    do {
      invocation = try Invocation.parse(words())
    } catch {
      try? Output.errors.write(Array(error.text.utf8)[...])
      _exit(UsageError.status)
    }
    switch invocation {
    case .text(let text):
      Output.standard.writeOrExit(Array(text.utf8)[...])
      _exit(EXIT_SUCCESS)
    case .filter(let settings):
      if let warning = settings.warning { Output.report(warning) }
      let report = Report(settings)
      // Until here, a signal ends the program even while it waits to write a message or to open a file.
      let signals = AwaitedSignals()
      let workers = startWorkers(commandCount: settings.jobs)
      let job: any Job =
        switch (settings.key, settings.command.isEmpty) {
        case (nil, true): LineFilter(settings, on: workers.turns)
        case (nil, false): CommandRunner(settings, on: workers)
        case (let field?, true): KeyedFilter(settings, by: field, on: workers.turns)
        case (let field?, false): KeyedRunner(settings, by: field, on: workers)
        }
      if let report { Exit.setLastWork { report.write(on: job) } }
      Jobs.run(job, on: workers, endedBy: signals)
    case .timeline(let settings):
      if let warning = settings.warning { Output.report(warning) }
      let signals = AwaitedSignals()
      Jobs.run(TimelineDrawing(settings), on: startWorkers(), endedBy: signals)
    }
  }

  /// Returns the words of the command line, without the name of the program.
  ///
  /// The words before the command must be UTF-8. In a word that is not UTF-8, the runtime has replaced bytes,
  /// so a path would be the path of another file.
  private static func words() throws(UsageError) -> [String] {
    let words = Array(CommandLine.arguments.dropFirst())
    for (index, word) in words.prefix(while: { $0 != "--" }).enumerated() {
      // SAFETY: the argument vector lives as long as the process, and has a string for each word.
      let isValid = unsafe CommandLine.unsafeArgv[index + 1].map {
        unsafe String(validatingCString: $0) != nil
      }
      if isValid != true { throw UsageError("\(word): options must be UTF-8") }
    }
    return words
  }

  private static func startWorkers(commandCount: Int = 1) -> Workers {
    do {
      return try Workers(commandCount: commandCount)
    } catch {
      Output.reportIfReady("cannot start a thread: \(error.reason); compare ulimit -a")
      _exit(EXIT_FAILURE)
    }
  }
}
