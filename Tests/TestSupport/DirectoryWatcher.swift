#if os(Linux)
  package import Dispatch
  internal import Glibc

  /// Reports the files of a directory that were written and closed, or moved into it. A watcher stops when it
  /// is released.
  package final class DirectoryWatcher {
    package struct SystemError: Error {
      package let number: Int32
    }

    private let source: any DispatchSourceRead

    /// Creates a watcher.
    ///
    /// - Parameters:
    ///   - directory: The path of the directory to watch. Its subdirectories are not watched.
    ///   - queue: The queue on which the handler is called.
    ///   - handler: Called with the names of changed files, in the order of the changes.
    package init(
      _ directory: String, on queue: DispatchQueue, handler: @escaping @Sendable ([String]) -> Void
    ) throws(SystemError) {
      let file = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard file >= 0 else { throw SystemError(number: errno) }
      guard inotify_add_watch(file, directory, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)) >= 0 else {
        let error = SystemError(number: errno)
        close(file)
        throw error
      }
      source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
      source.setEventHandler {
        let names = Self.changedFiles(file)
        if !names.isEmpty { handler(names) }
      }
      source.setCancelHandler { close(file) }
      source.activate()
    }

    deinit { source.cancel() }

    private static func changedFiles(_ file: Int32) -> [String] {
      var names: [String] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { return names }
        buffer.withUnsafeBytes { bytes in
          var offset = 0
          while offset < count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            offset += MemoryLayout<inotify_event>.size
            // The name is padded with zero bytes. An overflow event has an empty name.
            let name = bytes[offset..<offset + Int(event.len)].prefix { $0 != 0 }
            if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
            offset += Int(event.len)
          }
        }
      }
    }
  }
#endif
