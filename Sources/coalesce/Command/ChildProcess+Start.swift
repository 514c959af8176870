internal import CPlatform

extension ChildProcess {
  /// Starts the program's command, with no signal blocked.
  ///
  /// - Parameters:
  ///   - count: The number of words of the command. They are the last words of the program's command line.
  ///   - key: The bytes that replace `{}` in the arguments; nil to leave the arguments unchanged.
  ///   - variables: Variables that are added to the environment, each as `NAME=value` in bytes.
  ///   - input: The file that becomes standard input.
  ///   - grouping: Whether the command gets a process group of its own, and when the group is ended.
  ///   - alarm: The thread that checks whether the group has ended.
  static func start(
    lastArguments count: Int, key: LineKey?, variables: [[UInt8]], input: Int32,
    grouping: FilterSettings.Grouping,
    alarm: Worker
  ) throws(SystemError) -> ChildProcess {
    // SAFETY: the argument vector of the process lives as long as the process, and ends with a null pointer.
    // The C objects are initialised before their use and destroyed after it. The environment never changes.
    // The added variables are freed at the end of this function, after their last use.
    #if canImport(Darwin)
      var files: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var files = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    unsafe posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)

    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var changed = none
    unsafe sigaddset(&changed, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &changed)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if grouping != .shared { flags |= POSIX_SPAWN_SETPGROUP }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var environment: [UnsafeMutablePointer<CChar>?] = unsafe []
    for variable in variables {
      unsafe environment.append(strdup(variable.map { CChar(bitPattern: $0) } + [0]))
    }
    var next = unsafe platform_environment()
    while let variable = unsafe next.pointee {
      let isReplaced = unsafe environment.prefix(variables.count).contains { addition in
        unsafe strncmp(variable, addition!, strcspn(variable, "=") + 1) == 0
      }
      if !isReplaced { unsafe environment.append(variable) }
      unsafe next += 1
    }
    unsafe environment.append(nil)
    defer {
      for index in variables.indices { unsafe free(environment[index]) }
    }

    // With a key, all words but the name of the command are copied. The copies are freed at the end.
    var arguments = unsafe Array(
      UnsafeBufferPointer(
        start: CommandLine.unsafeArgv + (Int(CommandLine.argc) - count), count: count + 1))
    guard let name = unsafe arguments[0] else { throw SystemError(number: ENOENT) }
    let copies = 1..<(key == nil ? 1 : count)
    for index in copies {
      let word = unsafe UnsafeBufferPointer(start: arguments[index], count: strlen(arguments[index]!))
      let bytes = unsafe Placeholder.replaced(in: word.map(UInt8.init(bitPattern:))[...], by: key!.bytes)
      unsafe arguments[index] = strdup(bytes.map(CChar.init(bitPattern:)) + [0])
    }
    defer {
      for index in copies { unsafe free(arguments[index]) }
    }
    var processID: pid_t = 0
    let error = unsafe posix_spawnp(&processID, name, &files, &attributes, &arguments, &environment)
    if error != 0 { throw SystemError(number: error) }
    return ChildProcess(processID: processID, grouping: grouping, alarm: alarm)
  }
}
