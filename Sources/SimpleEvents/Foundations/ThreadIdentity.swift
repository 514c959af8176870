// NB: the one file that needs the C library. Neither the standard library nor Dispatch says which thread it runs on,
// which nested cycles (H6) and the driver of a test scheduler (S3) depend on.
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// An identity that tells the threads that are running apart.
package struct ThreadIdentity: Hashable, Sendable {
  private let bits: UInt

  /// The calling thread.
  package static var current: ThreadIdentity {
    // A pointer on some systems, a word on others.
    unsafe ThreadIdentity(bits: withUnsafeBytes(of: pthread_self()) { unsafe $0.load(as: UInt.self) })
  }
}
