import Foundation
import Testing
import coalesce

/// The texts that the built tool prints.
@Suite(.serialized) struct HelpTests {
  @Test(
    "coalesce: a wrong option gives one line, a pointer to the help, and status 64",
    arguments: [
      ("--nonsense", "unknown option --nonsense", "coalesce --help"),
      (
        "--debounce soon", "--debounce soon: give a time with a unit, as in --debounce 200ms",
        "coalesce --help"
      ),
      ("timeline --nonsense", "unknown option --nonsense", "coalesce timeline --help"),
    ])
  func wrongOption(_ options: String, _ message: String, _ help: String) throws {
    let outcome = try Tool(options).outcome()
    #expect(
      outcome == Outcome(status: 64, output: [], errors: Array("coalesce: \(message)\nTry '\(help)'.\n".utf8))
    )
  }

  @Test("--help: writes the help, which fits a screen of 24 lines and 80 columns")
  func help() throws {
    for (options, text) in [
      ("--help", HelpText.filter), ("-h", HelpText.filter), ("timeline --help", HelpText.timeline),
    ] {
      #expect(try Tool(options).outcome() == .wrote(text))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 24)
      #expect(lines.allSatisfy { $0.count <= 80 })
    }
  }

  @Test("--help: shows three examples, whose options are accepted")
  func examples() throws {
    #expect(HelpText.examples.count == 3)
    for example in HelpText.examples {
      #expect(HelpText.filter.contains("\n\(example.command)\n"))
      let words = example.command.split(separator: " ").map(String.init)
      let tool = try #require(words.lastIndex(of: "coalesce"))
      _ = try Invocation.parse(Array(words[(tool + 1)...]))
    }
  }

  @Test("--help, --man: name every option")
  func everyOption() {
    for option in OptionSpec.filter {
      #expect(HelpText.filter.contains(option.name))
      #expect(ManPage.text.contains(option.name.replacing("-", with: "\\-")))
    }
    for option in OptionSpec.timeline {
      #expect(HelpText.timeline.contains(option.form))
      #expect(ManPage.text.contains(option.name.replacing("-", with: "\\-")))
    }
  }

  @Test("--throttle: the help says that lines which come together are one delivery")
  func throttle() throws {
    let words = HelpText.filter.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("lines that come together are one delivery"))
  }

  @Test("--man: writes a page with the sections of a manual")
  func manual() throws {
    #expect(try Tool("--man").outcome() == .wrote(ManPage.text))
    let lines = ManPage.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix(".TH COALESCE 1") == true)
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SIGNALS", "EXAMPLES"] {
      #expect(lines.contains(".SH \(section)"))
    }
    // A line that begins with a dot is a request; one with an apostrophe would be another.
    #expect(lines.allSatisfy { !$0.hasPrefix("'") })
    #expect(lines.dropLast().allSatisfy { !$0.isEmpty })
  }

  @Test("--version: writes the version")
  func version() throws {
    #expect(try Tool("--version").outcome() == .wrote("coalesce \(HelpText.version)\n"))
  }
}
