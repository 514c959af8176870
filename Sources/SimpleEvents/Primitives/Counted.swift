/// A number with its noun, as in `1 observer` and `2 observers`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}
