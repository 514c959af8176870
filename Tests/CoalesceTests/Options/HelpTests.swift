import Foundation
import Testing
import coalesce

/// The texts that the built tool prints.
@Suite(.serialized, .onOwnThreads) struct HelpTests {
  @Test(
    "coalesce: a wrong option gives one line, a pointer to the help, and status 64",
    arguments: [
      ("--nonsense", "unknown option --nonsense", "coalesce --help"),
      (
        "--debounce soon",
        "--debounce soon: give a time in ns, us, ms, s, m, min, h or d, as in --debounce 200ms",
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

  @Test("--help: writes the help, which fits 80 columns")
  func help() throws {
    for (options, text) in [
      ("--help", HelpText.filter), ("-h", HelpText.filter), ("timeline --help", HelpText.timeline),
    ] {
      #expect(try Tool(options).outcome() == .wrote(text))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 50)
      #expect(lines.allSatisfy { $0.count <= 80 })
    }
  }

  @Test("--help: shows five examples, whose options are accepted")
  func examples() throws {
    #expect(HelpText.examples.count == 5)
    for example in HelpText.examples {
      #expect(HelpText.filter.contains("\n\(example.command)\n"))
      let words = example.command.split(separator: " ").map(String.init)
      let tool = try #require(words.lastIndex(of: "coalesce"))
      _ = try Invocation.parse(Array(words[(tool + 1)...]))
    }
  }

  @Test(
    "README, The command-line tool: the options of every command are accepted",
    arguments: [
      ("README.md", 2), ("Sources/SimpleEvents/SimpleEvents.docc/TheCommandLineTool.md", 10),
    ])
  func documentation(_ path: String, _ least: Int) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    var count = 0
    for line in text.split(separator: "\n") where line.hasPrefix("    ") {
      let words = line.split(separator: " ").map(String.init)
      // A command begins with the word `coalesce`, at the start of a line or after `|` or `run`.
      guard let tool = words.lastIndex(of: "coalesce"), tool == 0 || ["|", "run"].contains(words[tool - 1])
      else { continue }
      let options = words[(tool + 1)...].prefix { !["#", "|", ">", "&&", "--"].contains($0) }
      _ = try Invocation.parse(Array(options) + (words.contains("--") ? ["--", "true"] : []))
      count += 1
    }
    #expect(count >= least, "\(count)")
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

  @Test("--help, --man: name the units, the variables of the environment and the exit statuses")
  func surroundings() {
    let units = "TIME has a unit: ns us ms s (default) m min h d."
    for text in [HelpText.filter, HelpText.timeline] {
      #expect(text.split { $0.isWhitespace }.joined(separator: " ").contains(units))
    }
    for variable in ["COALESCE_LAST", "COALESCE_COUNT", "COALESCE_DROPPED", "COALESCE_KEY"] {
      #expect(HelpText.filter.contains(variable))
      #expect(ManPage.text.contains(".B \(variable)\n"))
    }
    for variable in ["NO_COLOR", "TERM", "LC_ALL", "TZ", "TMPDIR"] {
      #expect(ManPage.text.contains(variable))
    }
    for status in ["1", "64", "126", "127", "128"] {
      #expect(HelpText.filter.split { $0.isWhitespace }.contains(status[...]))
      #expect(ManPage.text.contains(status))
    }
  }

  @Test("--throttle: the help says that lines that are read together are one delivery")
  func throttle() throws {
    let words = HelpText.filter.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("lines read together are one delivery"))
  }

  @Test("--man: writes a page with the sections of a manual page")
  func manual() throws {
    #expect(try Tool("--man").outcome() == .wrote(ManPage.text))
    let lines = ManPage.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix(".TH COALESCE 1") == true)
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "TERMINAL", "EXIT STATUS", "SIGNALS", "EXAMPLES"] {
      #expect(lines.contains(".SH \(section)"))
    }
    // A line that begins with a dot is a request of the formatter, and so is a line that begins with an
    // apostrophe.
    #expect(lines.allSatisfy { !$0.hasPrefix("'") })
    #expect(lines.dropLast().allSatisfy { !$0.isEmpty })
  }

  @Test("--version: writes the version")
  func version() throws {
    #expect(try Tool("--version").outcome() == .wrote("coalesce \(HelpText.version)\n"))
  }
}
