internal import CPlatform

/// A group of processes that began with one command.
struct ProcessGroup: Sendable {
  let leader: pid_t

  func send(_ signal: Int32) { kill(-leader, signal) }

  /// Whether the group has a process that has not exited.
  var isAlive: Bool {
    #if os(Linux)
      (kill(-leader, 0) == 0 || platform_error() == EPERM) && hasActiveMember
    #else
      // The error is EPERM if all processes of the group have exited.
      kill(-leader, 0) == 0
    #endif
  }

  #if os(Linux)
    /// Whether `/proc` lists a process of the group that has not exited; true if `/proc` cannot be read.
    ///
    /// For the kernel, an exited process belongs to the group until its new parent has reaped it. In a
    /// container, the new parent is the first process of the container, which often reaps no process.
    private var hasActiveMember: Bool {
      // SAFETY: the directory is open until the function returns. An entry is used before the next one is
      // read, and its name is a string.
      guard let folder = unsafe opendir("/proc") else { return true }
      defer { unsafe closedir(folder) }
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if let process = pid_t(name), isActiveMember(process) { return true }
      }
      return false
    }

    private func isActiveMember(_ process: pid_t) -> Bool {
      guard let bytes = try? InputFile.contents(of: "/proc/\(process)/stat") else { return false }
      // The fields after the name in parentheses are the state, the parent and the group.
      let fields =
        String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 2 && fields[0] != "Z" && fields[0] != "X" && fields[2] == "\(leader)"
    }
  #endif
}
