/// An element of a collector. Elements with the same key differ in their serial numbers.
package struct CollectorElement: Sendable, CustomStringConvertible {
  package var key: Int
  package var serial: Int

  package init(key: Int, serial: Int) {
    self.key = key
    self.serial = serial
  }

  package var description: String { "\(key):\(serial)" }
}
