/// A type whose values an atomic can store: bits that fit into a word.
public protocol AtomicRepresentable {}

/// A type that an atomic can store as an optional, with a bit pattern for nil.
public protocol AtomicOptionalRepresentable: AtomicRepresentable {}

extension AtomicRepresentable {
  /// The bits of the value, with zeros above them.
  var word: UInt {
    var word: UInt = 0
    withUnsafeMutableBytes(of: &word) { word in
      withUnsafeBytes(of: self) { word.copyMemory(from: $0) }
    }
    return word
  }

  /// Returns the value that has these bits.
  static func from(_ word: UInt) -> Self {
    withUnsafeBytes(of: word) { $0.loadUnaligned(as: Self.self) }
  }
}

extension Bool: AtomicRepresentable {}
extension Int: AtomicRepresentable {}
extension Int8: AtomicRepresentable {}
extension Int16: AtomicRepresentable {}
extension Int32: AtomicRepresentable {}
extension Int64: AtomicRepresentable {}
extension UInt: AtomicRepresentable {}
extension UInt8: AtomicRepresentable {}
extension UInt16: AtomicRepresentable {}
extension UInt32: AtomicRepresentable {}
extension UInt64: AtomicRepresentable {}
extension ObjectIdentifier: AtomicOptionalRepresentable {}
extension Unmanaged: AtomicOptionalRepresentable {}
extension UnsafeRawPointer: AtomicOptionalRepresentable {}
extension UnsafeMutableRawPointer: AtomicOptionalRepresentable {}
extension UnsafePointer: AtomicRepresentable, AtomicOptionalRepresentable {}
extension UnsafeMutablePointer: AtomicRepresentable, AtomicOptionalRepresentable {}
extension Optional: AtomicRepresentable where Wrapped: AtomicOptionalRepresentable {}
