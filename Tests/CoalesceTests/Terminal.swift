import Foundation
import Testing

/// The two ends of a terminal.
struct Terminal {
  /// The end from which a test reads the output of the tool.
  let near: FileHandle
  /// The end that the tool uses.
  let far: FileHandle

  init(columns: UInt16) throws {
    var near: Int32 = -1
    var far: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&near, &far, nil, nil, &size) == 0)
    self.near = FileHandle(fileDescriptor: near, closeOnDealloc: true)
    self.far = FileHandle(fileDescriptor: far, closeOnDealloc: true)
    for file in [near, far] { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
  }

  /// Reads the output of the tool, up to the last line that it is expected to write.
  func text(lines: Int) -> String {
    var text = ""
    while text.split(separator: "\n", omittingEmptySubsequences: false).count <= lines {
      let data = near.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
    }
    return text
  }
}
