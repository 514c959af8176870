// NB: the one place that needs the C library. Neither the standard library nor Dispatch says which
// thread it runs on, and "nested on the same thread" (H6) and "the thread that drives it" (S3) ask that.
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Tells the threads that are alive apart.
package struct ThreadIdentity: Hashable, Sendable {
  private let bits: UInt

  /// The calling thread.
  package static var current: ThreadIdentity {
    // A pointer on some systems, a word on others.
    ThreadIdentity(bits: withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) })
  }
}
