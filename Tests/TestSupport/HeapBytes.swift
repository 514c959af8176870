#if canImport(Glibc) && arch(x86_64)
  internal import Glibc

  /// Returns the number of heap bytes in use.
  ///
  /// The header of `mallinfo2` is not part of the Glibc module, so the function is looked up by name.
  // SAFETY: the function returns a structure of ten words. By the x86-64 calling convention, it writes the
  // structure through a hidden first argument.
  package func heapBytes() -> Int {
    typealias Function = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer
    let function = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "mallinfo2"), to: Function.self)
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 10) { words in
      _ = function(words.baseAddress!)
      // `hblkhd` counts the blocks in mappings of their own, and `uordblks` counts all other blocks.
      return words[4] + words[7]
    }
  }
#endif
