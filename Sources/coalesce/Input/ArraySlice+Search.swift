internal import CPlatform

extension ArraySlice<UInt8> {
  /// Returns the index of the first byte with a given value; nil if no byte has this value.
  ///
  /// This is faster than `firstIndex(of:)`, which in a debug build also allocates memory for each byte.
  func position(of byte: UInt8) -> Int? {
    // SAFETY: the search stays inside the bytes, which are alive during the call. The result points at one of
    // them.
    unsafe withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = unsafe memchr(base, Int32(byte), buffer.count) else {
        return nil
      }
      return unsafe startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}
