/// An element of a collector. Elements with one key differ in their serial numbers.
struct CollectorElement: Sendable, CustomStringConvertible {
  var key: Int
  var serial: Int

  var description: String { "\(key):\(serial)" }
}
