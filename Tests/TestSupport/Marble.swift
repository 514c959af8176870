/// Draws instants on a line, one column a millisecond: `--x-x`, with a `2` where there is more than one.
package func marble(_ milliseconds: [Int], until end: Int) -> String {
  var line = Array(repeating: Character("-"), count: max(end, milliseconds.max() ?? 0) + 1)
  for instant in milliseconds {
    line[instant] = line[instant] == "-" ? "x" : "2"
  }
  return String(line)
}
