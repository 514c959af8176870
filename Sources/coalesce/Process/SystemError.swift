internal import CPlatform

/// The error number of a failed system call.
package struct SystemError: Error, Equatable {
  package var number: Int32

  /// The error of the system call that has just failed on this thread.
  static var last: SystemError { SystemError(number: platform_error()) }

  /// The system's description of the error.
  var reason: String {
    var text = [CChar](repeating: 0, count: 256)
    // SAFETY: the function writes a terminated string into the buffer, within the given length.
    _ = unsafe strerror_r(number, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
