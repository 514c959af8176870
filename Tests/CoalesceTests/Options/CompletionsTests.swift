import Foundation
import Testing
import coalesce

/// The completion scripts for shells.
@Suite(.serialized, .onOwnThreads) struct CompletionsTests {
  @Test(
    "--completions: the script has each option and its words", arguments: Completions.Shell.allCases)
  func everyOption(_ shell: Completions.Shell) throws {
    let script = Completions.script(for: shell)
    #expect(try Tool("--completions \(shell.rawValue)").outcome() == .wrote(script))
    for option in OptionSpec.filter + OptionSpec.timeline {
      #expect(script.contains(shell == .fish ? "-l \(option.name.dropFirst(2)) " : option.name))
      switch option.value {
      case .word(_, let words), .words(_, let words): #expect(script.contains(words.joined(separator: " ")))
      default: break
      }
    }
  }

  @Test(
    "--completions: a shell that is installed accepts the script", arguments: Completions.Shell.allCases)
  func syntax(_ shell: Completions.Shell) throws {
    let check = "command -v \(shell) >/dev/null || exit 0; \"$1\" --completions \(shell) | \(shell) -n"
    #expect(try Tool("", shell: check).finish() == .wrote(""))
  }

  @Test(
    "--completions bash: completes options, their values, and the command",
    arguments: [
      ("--de", "--debounce"), ("--edges lea", "leading"), ("tim", "timeline"), ("timeline --ev", "--events"),
      ("timeline --policy aud", "audit"), ("--when-busy re", "rerun restart"), ("--debounce 1", ""),
      ("--sep", "--separator"),
      ("--by 1 --ra", "--rate"), ("--by 1 --jobs 1", ""), ("--rate 1", ""),
      ("--edges = lea", "leading"), ("--edges =", "both leading trailing"),
      ("--edges=lea", "--edges=leading"),
      ("--trace=/etc/passw", "--trace=/etc/passwd"),
      ("timeline --policy audit,next", "audit,next-turn"),
      ("timeline --policy = audit,debounce,next", "audit,debounce,next-turn"),
      ("timeline --policy=audit,next", "--policy=audit,next-turn"),
      ("timeline --policy audit,", "audit,audit"),
      ("--now -- ech", "echo"), ("--now -- ls /etc/passw", "/etc/passwd"),
    ])
  func bash(_ line: String, _ expected: String) throws {
    // Other commands may have the same beginning.
    let words = expected.split(separator: " ", omittingEmptySubsequences: false).map { "-e \"\($0)\"" }
      .joined(separator: " ")
    let script = """
      command -v bash >/dev/null || { echo '\(expected)'; exit; }
      exec bash -c 'eval "$("$0" --completions bash)"
      COMP_WORDS=(coalesce \(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _coalesce
      printf "%s\\n" "${COMPREPLY[@]}" | grep -xF \(words) | sort -u | paste -sd" " -' "$1"
      """
    #expect(try Tool("", shell: script).finish() == .wrote("\(expected)\n"))
  }
}
