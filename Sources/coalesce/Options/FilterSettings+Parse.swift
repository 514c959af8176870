internal import SimpleEvents

extension FilterSettings {
  static func parse(_ words: ArraySlice<String>) throws(UsageError) -> Invocation {
    var settings = FilterSettings()
    var policy = PolicyOptions()
    var commandOption: String?
    var writingOption: String?
    var separator: UInt8?
    var burst: Int?
    var arguments = ArgumentReader(words, OptionSpec.filter)
    while let (spec, value) = try arguments.next() {
      switch spec.name {
      case "--help": return .text(HelpText.filter)
      case "--man": return .text(ManPage.text)
      case "--version": return .text("coalesce \(HelpText.version)\n")
      case "--completions":
        guard let shell = Completions.Shell(rawValue: value) else { throw spec.error(value) }
        return .text(Completions.script(for: shell))
      case "--all": try settings.keep(.all)
      case "--distinct": try settings.keep(.distinct)
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
      case "--by":
        guard let number = Quantity.count(value, in: 0...Int.max) else { throw spec.error(value) }
        settings.key = KeyField(number)
      case "--separator":
        guard let byte = Quantity.separator(value) else { throw spec.error(value) }
        separator = byte
      case "--rate":
        guard let rate = Quantity.rate(value) else { throw spec.error(value) }
        settings.rate = rate
      case "--burst": burst = try Self.count(value, of: spec)
      case "--stats": settings.writesStatistics = true
      case "--trace":
        if value.isEmpty { throw spec.error(value) }
        if value == "-" { throw UsageError("--trace -: standard output has the lines; give another file") }
        settings.trace = value
      default:
        if OptionSpec.commands.contains(where: { $0.name == spec.name }) {
          try settings.takeCommandOption(spec, value)
          commandOption = spec.name
        } else {
          try policy.take(spec, value)
        }
      }
    }
    try settings.takeKeys(separator: separator, burst: burst)
    settings.policy = try policy.policy()
    settings.warning = policy.warning
    settings.command = arguments.command ?? []
    if arguments.command == [] { throw UsageError("give a command behind --") }
    if settings.command.isEmpty {
      if let commandOption { throw UsageError("\(commandOption) needs a command, as in -- swift build") }
      if settings.rate != nil && settings.key == nil {
        throw UsageError("--rate needs a command or --by; without both, --throttle limits the rate")
      }
      if settings.writesCount && settings.keeping != .newest {
        throw UsageError("--count cannot be combined with --all or --distinct")
      }
    } else {
      if let writingOption { throw UsageError("\(writingOption) cannot be combined with a command") }
      if settings.keeping != .newest && !settings.givesLines {
        throw UsageError("--all and --distinct need --stdin to give a command the lines")
      }
      if settings.givesLines && settings.keeping == .newest { settings.keeping = .all }
      if settings.settle != nil && settings.whenBusy != .rerun {
        throw UsageError("--settle and --when-busy cannot be combined: lines during a run are ignored")
      }
      try settings.checkCommandOfKeys()
    }
    return .filter(settings)
  }

  private mutating func keep(_ keeping: LineBatch.Keeping) throws(UsageError) {
    if self.keeping != .newest { throw UsageError("--all and --distinct cannot be combined") }
    self.keeping = keeping
  }

  private mutating func group(_ grouping: Grouping) throws(UsageError) {
    if self.grouping != .own { throw UsageError("--foreground and --kill-group cannot be combined") }
    self.grouping = grouping
  }

  private mutating func takeCommandOption(_ spec: OptionSpec, _ value: String) throws(UsageError) {
    switch spec.name {
    case "--when-busy":
      guard let mode = BusyMode(rawValue: value) else { throw spec.error(value) }
      whenBusy = mode
    case "--stdin": givesLines = true
    case "--jobs": jobs = try Self.count(value, of: spec)
    case "--grace": grace = try Self.time(value, of: spec)
    case "--settle": settle = try Self.time(value, of: spec)
    case "--now": startsNow = true
    case "--clear": clearsTerminal = true
    case "--foreground": try group(.shared)
    case "--kill-group": try group(.ownAndEnded)
    default: isVerbose = true
    }
  }

  static func time(_ word: String, of spec: OptionSpec) throws(UsageError) -> Duration {
    guard let time = Quantity.time(word) else { throw spec.error(word) }
    return time
  }

  static func count(_ word: String, of spec: OptionSpec) throws(UsageError) -> Int {
    guard case .count(let limit) = spec.value, let count = Quantity.count(word, in: 1...limit) else {
      throw spec.error(word)
    }
    return count
  }
}
