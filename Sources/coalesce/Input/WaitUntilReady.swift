internal import CPlatform

/// Waits until a file that does not block can be read or written, or has an error.
func waitUntilReady(_ file: Int32, _ events: some BinaryInteger) {
  var request = pollfd(fd: file, events: Int16(events), revents: 0)
  // SAFETY: the pointer is to one valid element.
  _ = unsafe poll(&request, 1, -1)
}

/// Whether a file can be read or written without a wait, or has an error.
func isReady(_ file: Int32, _ events: some BinaryInteger) -> Bool {
  var request = pollfd(fd: file, events: Int16(events), revents: 0)
  // SAFETY: the pointer is to one valid element.
  return unsafe poll(&request, 1, 0) > 0
}
