/// The error that tests send.
struct Broken: Error, CustomStringConvertible {
  let description: String = "broken"
}
