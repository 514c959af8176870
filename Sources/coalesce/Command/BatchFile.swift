internal import CPlatform

/// The standard input of a command: `/dev/null`, the terminal, or a file without a name for the lines.
///
/// The lines are in a file and not in a pipe, because a write to a pipe would wait for a command that does
/// not read.
struct BatchFile: ~Copyable {
  let file: Int32

  /// Creates a file that contains lines, and opens it at its beginning.
  init(_ lines: ArraySlice<UInt8>) throws(StartError) {
    let file = try Self.emptyFile()
    do throws(StartError) {
      try Self.fill(file, with: lines)
    } catch {
      close(file)
      throw error
    }
    self.file = file
  }

  /// Opens `/dev/null`. For a command in the foreground, it opens the terminal instead, if there is one.
  init(isForeground: Bool) throws(StartError) {
    // SAFETY: the paths are strings that are alive during the calls.
    let terminal = unsafe isForeground ? platform_open("/dev/tty", O_RDWR | O_CLOEXEC, 0) : -1
    let file = unsafe terminal >= 0 ? terminal : platform_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
    if file < 0 { throw StartError(part: .file("/dev/null"), .last) }
    self.file = file
  }

  deinit { close(file) }

  private static func fill(_ file: Int32, with lines: ArraySlice<UInt8>) throws(StartError) {
    do throws(SystemError) {
      try Output(file: file, name: "the lines").write(lines)
    } catch {
      throw StartError(part: .lines, error)
    }
    lseek(file, 0, SEEK_SET)
  }

  /// Opens a file in memory, or a temporary file if the system has no files in memory.
  private static func emptyFile() throws(StartError) -> Int32 {
    // SAFETY: the name is a string that is alive during the call.
    let anonymous = unsafe platform_anonymous_file("coalesce")
    if anonymous >= 0 { return anonymous }
    if platform_error() != ENOSYS { throw StartError(part: .lines, .last) }
    // SAFETY: the environment is not changed, so the string is alive until it is copied.
    let variable = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
    let name = "\(variable.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")/coalesce.XXXXXX"
    var path = Array(name.utf8CString)
    // SAFETY: the template is a terminated string, and the call changes it in place.
    let file = unsafe mkstemp(&path)
    if file < 0 { throw StartError(part: .file(name), .last) }
    unsafe unlink(path)
    platform_set_close_on_exec(file)
    return file
  }
}
