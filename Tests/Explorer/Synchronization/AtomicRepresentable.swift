/// A value that an atomic can hold: one that fits into a word.
public protocol AtomicRepresentable {
  /// The value's bits.
  static func encode(_ value: consuming Self) -> UInt
  /// The value with these bits.
  static func decode(_ bits: UInt) -> Self
}

/// A value whose absence an atomic can hold as zero.
public protocol AtomicOptionalRepresentable: AtomicRepresentable {}

extension Bool: AtomicRepresentable {
  public static func encode(_ value: consuming Bool) -> UInt { value ? 1 : 0 }
  public static func decode(_ bits: UInt) -> Bool { bits != 0 }
}

extension FixedWidthInteger where Self: AtomicRepresentable {
  public static func encode(_ value: consuming Self) -> UInt { UInt(truncatingIfNeeded: value) }
  public static func decode(_ bits: UInt) -> Self { Self(truncatingIfNeeded: bits) }
}

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

extension RawRepresentable where Self: AtomicRepresentable, RawValue: AtomicRepresentable {
  public static func encode(_ value: consuming Self) -> UInt { RawValue.encode(value.rawValue) }
  public static func decode(_ bits: UInt) -> Self { Self(rawValue: RawValue.decode(bits))! }
}

extension Optional: AtomicRepresentable where Wrapped: AtomicOptionalRepresentable {
  public static func encode(_ value: consuming Wrapped?) -> UInt { value.map { Wrapped.encode($0) } ?? 0 }
  public static func decode(_ bits: UInt) -> Wrapped? { bits == 0 ? nil : Wrapped.decode(bits) }
}

extension Unmanaged: AtomicOptionalRepresentable {
  public static func encode(_ value: consuming Unmanaged<Instance>) -> UInt { UInt(bitPattern: value.toOpaque()) }
  public static func decode(_ bits: UInt) -> Unmanaged<Instance> {
    .fromOpaque(UnsafeRawPointer(bitPattern: bits)!)
  }
}

extension UnsafeRawPointer: AtomicOptionalRepresentable {
  public static func encode(_ value: consuming UnsafeRawPointer) -> UInt { UInt(bitPattern: value) }
  public static func decode(_ bits: UInt) -> UnsafeRawPointer { UnsafeRawPointer(bitPattern: bits)! }
}

extension UnsafeMutableRawPointer: AtomicOptionalRepresentable {
  public static func encode(_ value: consuming UnsafeMutableRawPointer) -> UInt { UInt(bitPattern: value) }
  public static func decode(_ bits: UInt) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: bits)!
  }
}

extension UnsafeMutablePointer: AtomicRepresentable, AtomicOptionalRepresentable {
  public static func encode(_ value: consuming UnsafeMutablePointer) -> UInt { UInt(bitPattern: value) }
  public static func decode(_ bits: UInt) -> UnsafeMutablePointer { UnsafeMutablePointer(bitPattern: bits)! }
}

extension ObjectIdentifier: AtomicOptionalRepresentable {
  public static func encode(_ value: consuming ObjectIdentifier) -> UInt { UInt(bitPattern: value) }
  public static func decode(_ bits: UInt) -> ObjectIdentifier {
    unsafeBitCast(bits, to: ObjectIdentifier.self)
  }
}
