/// The completion scripts for shells, made from the tables of options that the help also uses.
package enum Completions {
  /// A shell with completions.
  package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  /// Returns the script. A shell evaluates the script, or reads it from a folder of completions.
  package static func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static let tables: [(subcommand: String?, specs: [OptionSpec])] = [
    (nil, OptionSpec.filter), ("timeline", OptionSpec.timeline),
  ]

  // MARK: bash

  private static var bash: String {
    """
    # Completions of coalesce for bash: eval "$(coalesce --completions bash)"
    _coalesce() {
      local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} prefix= words= index options
      COMPREPLY=()
      for ((index = 1; index < COMP_CWORD; index++)); do
        if [[ ${COMP_WORDS[index]} == -- ]]; then
          if declare -F _command_offset >/dev/null; then
            _command_offset $((index + 1))
          elif ((COMP_CWORD == index + 1)); then
            COMPREPLY=($(compgen -c -- "$word"))
          else
            COMPREPLY=($(compgen -f -- "$word"))
          fi
          return
        fi
      done
      # An equals sign is a word of its own, unless COMP_WORDBREAKS is without it.
      if [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
      elif [[ $word == = ]]; then
        word=
      elif [[ $word == --*=* ]]; then
        option=${word%%=*} prefix=${word%%=*}= word=${word#*=}
      fi
      case ${COMP_WORDS[1]} in
    \(tables.reversed().map(bashTable).joined())  esac
      case $words in
      '') COMPREPLY=($(compgen -W "$options" -- "$prefix$word")); return ;;
      FILE) [[ -z $prefix ]] || COMPREPLY=($(compgen -P "$prefix" -f -- "$word")); return ;;
      OTHER) return ;;
      LIST*)
        words=${words#LIST} prefix+=${word%"${word##*,}"} word=${word##*,}
        compopt -o nospace 2>/dev/null
        ;;
      esac
      COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "$word"))
    }
    complete -o default -F _coalesce coalesce

    """
  }

  private static func bashTable(_ subcommand: String?, _ specs: [OptionSpec]) -> String {
    let values: [String] = specs.compactMap { spec in
      switch spec.value {
      case nil: nil
      case .file: "        \(spec.name)) words=FILE ;;\n"
      case .word(_, let words): "        \(spec.name)) words=\"\(words.joined(separator: " "))\" ;;\n"
      case .words(_, let words): "        \(spec.name)) words=\"LIST \(words.joined(separator: " "))\" ;;\n"
      case .time, .size, .instants, .count, .field, .character, .rate:
        "        \(spec.name)) words=OTHER ;;\n"
      }
    }
    let names = specs.map(\.name) + (subcommand == nil ? tables.compactMap(\.subcommand) + ["--"] : [])
    return """
          \(subcommand ?? "*"))
            case $option in
      \(values.joined())      esac
            options="\(names.joined(separator: " "))"
            ;;

      """
  }

  // MARK: zsh

  private static var zsh: String {
    """
    #compdef coalesce
    # Completions of coalesce for zsh: coalesce --completions zsh > a file _coalesce in a folder of $fpath
    _coalesce() {
      local separator=${words[(i)--]}
      if (( separator < CURRENT )); then
        shift $separator words; (( CURRENT -= separator ))
        _normal
      elif [[ $words[2] == timeline ]]; then
        shift words; (( CURRENT-- ))
        _arguments \
    \(zshArguments(OptionSpec.timeline))
      else
        _arguments \
    \(zshArguments(OptionSpec.filter)) \
          '1:subcommand:(timeline)'
      fi
    }
    if [[ $funcstack[1] == _coalesce ]]; then _coalesce "$@"; else compdef _coalesce coalesce; fi

    """
  }

  private static func zshArguments(_ specs: [OptionSpec]) -> String {
    specs.map { spec in
      let action =
        switch spec.value {
        case nil: ""
        case .file: ":file:_files"
        case .word(let name, let words): ":\(name.lowercased()):(\(words.joined(separator: " ")))"
        case .words(let name, let words):
          ":\(name.lowercased()):_values -s , \(name.lowercased()) \(words.joined(separator: " "))"
        case .time?, .size?, .instants?, .count?, .field?, .character?, .rate?:
          ":\(spec.value?.name.lowercased() ?? ""): "
        }
      let brief = spec.brief.replacing("'", with: "").replacing("[", with: "(").replacing(":", with: "\\:")
      // The value of an option follows an equals sign or is the next word.
      return "      '\(spec.name)\(spec.value == nil ? "" : "=")[\(brief)]\(action)'"
    }.joined(separator: " \\\n")
  }

  // MARK: fish

  private static var fish: String {
    """
    # Completions of coalesce for fish: coalesce --completions fish | source
    function __coalesce_has_command; contains -- -- (commandline -opc); end
    function __coalesce_list
      set -l word (string replace -r -- '^--[^=]*=' '' (commandline -ct))
      set -l begin (string match -r -- '.*,' $word)
      for name in $argv; echo "$begin$name"; end
    end
    complete -c coalesce -f
    complete -c coalesce -n '__coalesce_has_command' -a '(__fish_complete_subcommand --fcs-skip=1)'
    complete -c coalesce -n 'test (count (commandline -opc)) -eq 1' -a 'timeline' -d 'draw policies'
    \(tables.flatMap { table in table.specs.map { fishLine(table.subcommand, $0) } }.joined())
    """
  }

  private static func fishLine(_ subcommand: String?, _ spec: OptionSpec) -> String {
    let condition =
      subcommand.map { "__fish_seen_subcommand_from \($0)" }
      ?? "not __coalesce_has_command; and not __fish_seen_subcommand_from timeline"
    let value =
      switch spec.value {
      case nil: ""
      case .file: " -r -F"
      case .word(_, let words): " -x -a '\(words.joined(separator: " "))'"
      case .words(_, let words): " -x -a '(__coalesce_list \(words.joined(separator: " ")))'"
      case .time, .size, .instants, .count, .field, .character, .rate: " -x"
      }
    let brief = spec.brief.replacing("'", with: "\\'")
    return "complete -c coalesce -n '\(condition)' -l \(spec.name.dropFirst(2))\(value) -d '\(brief)'\n"
  }
}
