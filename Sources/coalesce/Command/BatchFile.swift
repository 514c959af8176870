internal import CPlatform

/// The standard input of a command: a file without a name.
///
/// A file, because a command that does not read a pipe would have to be waited for.
struct BatchFile: ~Copyable {
  let file: Int32

  /// Opens a file with lines, at its beginning.
  init(_ lines: ArraySlice<UInt8>) throws(SystemError) {
    // SAFETY: the environment is not changed, so the string is alive until it is copied.
    let variable = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
    let directory = variable.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var path = Array("\(directory)/coalesce.XXXXXX".utf8CString)
    // SAFETY: the template is a terminated string, and the call changes it in place.
    file = unsafe mkstemp(&path)
    guard file >= 0 else { throw .last }
    unsafe unlink(path)
    platform_set_close_on_exec(file)
    try Output(file: file, name: "a temporary file").write(lines)
    lseek(file, 0, SEEK_SET)
  }

  /// Opens `/dev/null`.
  init() throws(SystemError) {
    // SAFETY: the path is a string that is alive during the call.
    file = unsafe platform_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { throw .last }
  }

  deinit { close(file) }
}
