internal import SimpleEvents

extension FilterSettings {
  static func parse(_ words: ArraySlice<String>) throws(UsageError) -> Invocation {
    var settings = FilterSettings()
    var policy = PolicyOptions()
    var commandOption: String?
    var writingOption: String?
    var arguments = ArgumentReader(words, OptionSpec.filter)
    while let (spec, value) = try arguments.next() {
      switch spec.name {
      case "--help": return .text(HelpText.filter)
      case "--man": return .text(ManPage.text)
      case "--version": return .text("coalesce \(HelpText.version)\n")
      case "--all", "--distinct":
        let keeping: LineBatch.Keeping = spec.name == "--all" ? .all : .distinct
        guard settings.keeping == .newest || settings.keeping == keeping else {
          throw UsageError("--all and --distinct exclude each other")
        }
        settings.keeping = keeping
      case "--count":
        settings.writesCount = true
        writingOption = spec.name
      case "--timestamps":
        settings.writesTime = true
        writingOption = spec.name
      case "--null": settings.delimiter = 0
      case "--limit":
        guard let limit = Quantity.size(value) else { throw spec.error(value) }
        settings.limit = limit
      case "--when-busy":
        guard let mode = BusyMode(rawValue: value) else { throw spec.error(value) }
        settings.whenBusy = mode
        commandOption = spec.name
      case "--stdin":
        settings.givesLines = true
        commandOption = spec.name
      case "--grace":
        settings.grace = try time(value, of: spec)
        commandOption = spec.name
      default: try policy.take(spec, value)
      }
    }
    settings.policy = try policy.policy()
    settings.command = arguments.command ?? []
    if arguments.command == [] { throw UsageError("give a command behind --") }
    if settings.command.isEmpty {
      if let commandOption { throw UsageError("\(commandOption) needs a command, as in -- swift build") }
      if settings.writesCount && settings.keeping != .newest {
        throw UsageError("--count excludes --all and --distinct")
      }
    } else {
      if let writingOption { throw UsageError("\(writingOption) excludes a command") }
      if settings.keeping != .newest && !settings.givesLines {
        throw UsageError("--all and --distinct need --stdin to give a command the lines")
      }
      if settings.givesLines && settings.keeping == .newest { settings.keeping = .all }
    }
    return .filter(settings)
  }

  static func time(_ word: String, of spec: OptionSpec) throws(UsageError) -> Duration {
    guard let time = Quantity.time(word) else { throw spec.error(word) }
    return time
  }
}
