internal import CPlatform

/// Reads the lines of standard input.
package struct LineReader {
  /// A function that adds a line. Its arguments are the bytes, whether the line was cut, and the number of
  /// lines that the line stands for.
  package typealias Add = (ArraySlice<UInt8>, Bool, Int) -> Void

  let delimiter: UInt8
  /// The largest number of bytes of a line.
  let limit: Int
  /// Whether only the newest line of each read is added.
  var keepsNewest: Bool = false

  /// Reads standard input to its end.
  ///
  /// - Parameter body: Called for each read, with a function `forEach`. The body passes a closure to that
  ///   function, which calls the closure with each line. The body returns whether there was memory for the
  ///   lines.
  func readLines(_ body: (_ forEach: (Add) -> Void) -> Bool) throws(SystemError) {
    var splitter = LineSplitter(delimiter: delimiter, limit: limit)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var failure: SystemError?
    while true {
      let chunk: ArraySlice<UInt8>
      do throws(SystemError) {
        chunk = buffer[..<(try InputFile.standard.readSome(&buffer))]
      } catch {
        failure = error
        break
      }
      if chunk.isEmpty { break }
      let hasMemory = body { add in
        if keepsNewest {
          splitter.splitLast(chunk) { add($0, $1, $2) }
        } else {
          splitter.split(chunk) { add($0, $1, 1) }
        }
      }
      if splitter.isOutOfMemory || !hasMemory {
        failure = SystemError(number: ENOMEM)
        break
      }
    }
    _ = body { add in
      splitter.finish { add($0, $1, 1) }
    }
    if let failure { throw failure }
  }
}
