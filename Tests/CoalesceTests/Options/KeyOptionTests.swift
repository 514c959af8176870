import SimpleEvents
import Testing
import coalesce

/// The options for keys and rates.
struct KeyOptionTests {
  private static let giveField = "give the number of a field, as in --by 1, or 0 for the whole line"
  private static let giveRate =
    "give a number per time, at most one per nanosecond, as in --rate 10/s or --rate 1/500ms"
  private static let giveCharacter = "give one ASCII character, as in --separator :, or \\t for a tab"
  private static let needsField = "{} is the value of a field: give --by FIELD, or --by 0 for the whole line"

  @Test(
    "Invocation: the error about an option for keys or rates says what to do",
    arguments: [
      ("--by", "--by: \(giveField)"), ("--by x", "--by x: \(giveField)"),
      ("--by -1", "--by -1: \(giveField)"),
      ("--by 1,2", "--by 1,2: \(giveField)"), ("--by=", "--by : \(giveField)"),
      ("--by 99999999999999999999", "--by 99999999999999999999: \(giveField)"),
      ("--by 1 --separator ::", "--separator ::: \(giveCharacter)"),
      ("--by 1 --separator=", "--separator : \(giveCharacter)"),
      ("--by 1 --separator ä", "--separator ä: \(giveCharacter)"),
      ("--separator ,", "--separator needs --by, as in --by 1"),
      ("--by 1 --jobs 0 -- true", "--jobs 0: give a number from 1 to 1000, as in --jobs 4"),
      ("--by 1 --jobs -1 -- true", "--jobs -1: give a number from 1 to 1000, as in --jobs 4"),
      ("--by 1 --jobs 1001 -- true", "--jobs 1001: give a number from 1 to 1000, as in --jobs 4"),
      ("--by 1 --jobs all -- true", "--jobs all: give a number from 1 to 1000, as in --jobs 4"),
      ("--by 1 --jobs 2", "--jobs needs a command, as in -- swift build"),
      ("--jobs 2 -- true", "--jobs needs --by: without keys, runs do not overlap"),
      ("--rate 10 -- true", "--rate 10: \(giveRate)"), ("--rate 0/s -- true", "--rate 0/s: \(giveRate)"),
      ("--rate 10/ -- true", "--rate 10/: \(giveRate)"),
      ("--rate 10/0s -- true", "--rate 10/0s: \(giveRate)"),
      ("--rate 10/x -- true", "--rate 10/x: \(giveRate)"), ("--rate /s -- true", "--rate /s: \(giveRate)"),
      ("--rate 1/s/s -- true", "--rate 1/s/s: \(giveRate)"),
      ("--rate 2/1ns -- true", "--rate 2/1ns: \(giveRate)"),
      ("--rate 1/9999999999999h -- true", "--rate 1/9999999999999h: \(giveRate)"),
      ("--rate 1.5/s -- true", "--rate 1.5/s: \(giveRate)"),
      ("--rate nan/s -- true", "--rate nan/s: \(giveRate)"),
      ("--rate 10/s", "--rate needs a command or --by; without both, --throttle limits the rate"),
      ("--burst 2 -- true", "--burst needs --rate, as in --rate 10/s"),
      ("--rate 1/s --burst 0 -- true", "--burst 0: give a number from 1 to 1000000, as in --burst 4"),
      ("-- echo {}", needsField), ("-- sh -c echo{}", needsField), ("--stdin -- {}", needsField),
      ("--by 1 -- {} a", "{} can be in the arguments only, not in the command"),
      ("--by 1 --now -- true", "--now and --by cannot be combined: no key is known before a line"),
      ("--by 1 --kill-group -- true", "--kill-group and --by cannot be combined"),
    ])
  func messages(_ line: String, _ expected: String) {
    #expect(throws: UsageError(expected)) { try Invocation.parse(words(line)) }
  }

  @Test("Invocation: parses keys")
  func keys() throws {
    #expect(try settings("").key == nil)
    #expect(try settings("--by 0").key == KeyField(0))
    #expect(try settings("--by 02").key == KeyField(2))
    #expect(try settings("--separator , --by 3").key == KeyField(3, separator: UInt8(ascii: ",")))
    #expect(try settings("--by 1 --separator \\t").key == KeyField(1, separator: UInt8(ascii: "\t")))
    #expect(try settings("--by 1 --separator -").key == KeyField(1, separator: UInt8(ascii: "-")))
    #expect(try settings("--by 1 --jobs 8 -- echo {} a{}").jobs == 8)
    #expect(try settings("--by 1 -- echo").jobs == 1)
    #expect(try settings("--jobs 1 -- true").jobs == 1)
  }

  @Test(
    "Invocation: parses rates",
    arguments: [
      ("10/s", 10, 1_000_000_000), ("100/m", 100, 60_000_000_000), ("5/h", 5, 3_600_000_000_000),
      ("1/500ms", 1, 500_000_000), ("3/2", 3, 2_000_000_000), ("2/1.5s", 2, 1_500_000_000), ("1/ns", 1, 1),
      ("7/.5s", 7, 500_000_000),
    ])
  func rates(_ word: String, _ count: Int, _ period: Int64) throws {
    #expect(try settings("--rate \(word) -- true").rate == RunRate(count, period: period))
    #expect(try settings("--by 1 --rate=\(word)").rate == RunRate(count, period: period))
  }

  @Test("Invocation: a burst applies to the rate, given before or after it")
  func burst() throws {
    var rate = RunRate(10, period: 1_000_000_000)
    rate.burst = 5
    #expect(try settings("--rate 10/s --burst 5 -- true").rate == rate)
    #expect(try settings("--burst 5 --rate 10/s -- true").rate == rate)
  }

  private func settings(_ line: String) throws -> FilterSettings {
    guard case .filter(let settings) = try Invocation.parse(words(line)) else {
      throw UsageError("no filter")
    }
    return settings
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}
