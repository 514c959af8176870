extension FilterSettings {
  /// Adds the separator to the field of the keys, and the burst to the rate.
  mutating func takeKeys(separator: UInt8?, burst: Int?) throws(UsageError) {
    if separator != nil && key == nil { throw UsageError("--separator needs --by, as in --by 1") }
    key?.separator = separator
    guard let burst else { return }
    if rate == nil { throw UsageError("--burst needs --rate, as in --rate 10/s") }
    rate?.burst = burst
  }

  /// Checks that the command and its options match the option for keys.
  func checkCommandOfKeys() throws(UsageError) {
    if key == nil {
      if jobs > 1 { throw UsageError("--jobs needs --by: without keys, runs do not overlap") }
      if command.contains(where: { $0.contains("{}") }) {
        throw UsageError("{} is the value of a field: give --by FIELD, or --by 0 for the whole line")
      }
    } else {
      if command[0].contains("{}") { throw UsageError("{} can be in the arguments only, not in the command") }
      if startsNow { throw UsageError("--now and --by cannot be combined: no key is known before a line") }
      if grouping == .ownAndEnded { throw UsageError("--kill-group and --by cannot be combined") }
    }
  }
}
