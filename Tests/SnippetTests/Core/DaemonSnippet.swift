import Dispatch
import Foundation
import Observation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsMonitoring
import Testing

// The daemon of the article "Refresh loops". A line that ends in "hidden" is not part of the text.

/// The settings of the daemon: a file holds the path of a folder.
@MainActor @Observable
final class Configuration {
  private let file: String
  private(set) var folder = "."

  init(file: String) {
    self.file = file
    reload()
  }

  func reload() {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return }
    folder = text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// An index of the folder.
actor FolderIndex {
  private let configuration: Configuration
  private let loop = RefreshLoop(
    policy: .debounce(.milliseconds(200), maxWait: .seconds(2)),
    retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)), label: "index")

  init(_ configuration: Configuration) { self.configuration = configuration }

  nonisolated func observe(_ changes: any SimpleEventObservable & Sendable) {
    loop.observe(changes)
    loop.request()
  }

  func run() async {
    await loop.run {
      try await self.rebuild()
    } onError: { error in
      print("The index is out of date: \(error)")
      failures.continuation.yield()  // hidden
    }
  }

  nonisolated func finish() async {
    loop.request()  // the last run
    await loop.finish()
  }

  private func rebuild() async throws {
    let folder = await configuration.folder
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    print("\(names.count) names in \(folder)")
    rebuilds.continuation.yield(names.count)  // hidden
  }
}

/// A signal of the process as notifications, from the initialiser on.
@MainActor
final class ProcessSignal {
  let notifications: EventNotifications
  private let source: any DispatchSourceSignal

  init(_ number: Int32) {
    let event = LazySimpleEvent(label: "signal \(number)")
    notifications = event.notifications
    signal(number, SIG_IGN)  // the source receives it
    source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { event.trigger() }
    source.activate()
  }

  func cancel() { source.cancel() }
}

@MainActor
func runDaemon(configuredBy file: String) async {
  let inspector = CoalescingInspector()
  CoalescingSystem.bootstrap(inspector)  // before the objects that it shows
  let hangUp = ProcessSignal(SIGHUP)
  let termination = ProcessSignal(SIGTERM)
  let inspection = ProcessSignal(SIGUSR1)
  let configuration = Configuration(file: file)
  let index = FolderIndex(configuration)
  index.observe(ObservationEvent { _ = configuration.folder })
  let indexing = Task { await index.run() }
  let reloading = Task {
    for await _ in hangUp.notifications { configuration.reload() }
  }
  let inspecting = Task {
    for await _ in inspection.notifications {
      print(inspector)
      fflush(nil)  // output to a file is buffered
    }
  }
  for await _ in termination.notifications { break }
  reloading.cancel()  // nothing changes the configuration any more
  await index.finish()
  await indexing.value
  inspecting.cancel()
  for signal in [hangUp, termination, inspection] { signal.cancel() }
}

private func main() async {  // hidden
  await runDaemon(configuredBy: CommandLine.arguments.dropFirst().first ?? "daemon.conf")
}  // hidden

/// The numbers of names that the runs of the index have found.
private let rebuilds = AsyncStream.makeStream(of: Int.self)

/// A stream with one element for each run of the index that has failed.
private let failures = AsyncStream.makeStream(of: Void.self)

struct DaemonSnippet {
  @Test(
    "Documentation: while a failing disk is retried, SIGTERM ends the daemon after one last attempt",
    arguments: [false, true])
  func failingDisk(comesBack: Bool) async {
    await #expect(processExitsWith: .exitCode(7)) { [comesBack] in
      let folders = URL.temporaryDirectory.appending(component: "SimpleEvents.\(UUID())")
      let configuration = folders.appending(component: "daemon.conf")
      try FileManager.default.createDirectory(at: folders, withIntermediateDirectories: true)
      try Data("\(folders.path)/disk\n".utf8).write(to: configuration)
      signal(SIGTERM, SIG_IGN)
      var failed = failures.stream.makeAsyncIterator()

      let daemon = Task { await runDaemon(configuredBy: configuration.path) }
      await failed.next()
      if comesBack { try write("disk/1", in: folders) }
      let terminations = send(SIGTERM)
      await daemon.value
      terminations.cancel()
      rebuilds.continuation.finish()
      var counts: [Int] = []
      for await count in rebuilds.stream { counts.append(count) }
      try FileManager.default.removeItem(at: folders)
      exit(counts == (comesBack ? [1] : []) ? 7 : 1)
    }
  }

  @Test("Documentation: on SIGUSR1 the daemon prints its loop, the pending deliveries and the latest error")
  func inspection() async {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardOutputContent]) {
      let configuration = URL.temporaryDirectory.appending(component: "SimpleEvents.\(UUID())")
      try Data("/no such folder\n".utf8).write(to: configuration)
      signal(SIGTERM, SIG_IGN)
      signal(SIGUSR1, SIG_IGN)
      var failed = failures.stream.makeAsyncIterator()

      let daemon = Task { await runDaemon(configuredBy: configuration.path) }
      await failed.next()
      let inspections = send(SIGUSR1)
      await failed.next()
      inspections.cancel()
      let terminations = send(SIGTERM)
      await daemon.value
      terminations.cancel()
      try FileManager.default.removeItem(at: configuration)
      exit(7)
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    for part in [
      "RefreshLoop \"index\"", "LazySimpleEvent \"signal \(SIGUSR1)\"", "busiest", "failed",
      "no such folder",
    ] {
      #expect(output.contains(part), "\(part) in \(output)")
    }
  }

  @Test("Documentation: a daemon indexes another folder after SIGHUP, and runs once more after SIGTERM")
  func signals() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let folders = URL.temporaryDirectory.appending(component: "SimpleEvents.\(UUID())")
      let configuration = folders.appending(component: "daemon.conf")
      try write("a/1", in: folders)
      try write("b/1", in: folders)
      try write("b/2", in: folders)
      try Data("\(folders.path)/a\n".utf8).write(to: configuration)
      signal(SIGHUP, SIG_IGN)
      signal(SIGTERM, SIG_IGN)
      var counts = rebuilds.stream.makeAsyncIterator()

      let daemon = Task { await runDaemon(configuredBy: configuration.path) }
      let first = await counts.next()
      try Data("\(folders.path)/b\n".utf8).write(to: configuration)
      let hangUps = send(SIGHUP)
      let second = await counts.next()
      hangUps.cancel()
      // No change of the configuration follows, so only the last run is certain to find this file.
      try write("b/3", in: folders)
      let terminations = send(SIGTERM)
      await daemon.value
      terminations.cancel()
      rebuilds.continuation.finish()
      var last = second
      while let count = await counts.next() { last = count }
      try FileManager.default.removeItem(at: folders)
      exit([first, second, last] == [1, 2, 3] ? 7 : 1)
    }
  }
}

/// Writes an empty file into a folder of its own.
private func write(_ name: String, in folders: URL) throws {
  let file = folders.appending(path: name)
  let folder = file.deletingLastPathComponent()
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try Data().write(to: file)
}

/// Sends a signal to this process repeatedly, because a signal that comes too early is ignored.
private func send(_ number: Int32) -> Task<Void, Never> {
  Task.detached {
    while !Task.isCancelled {
      kill(getpid(), number)
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
