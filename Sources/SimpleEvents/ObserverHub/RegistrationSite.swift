/// Where an observer was registered, and the actor it was registered on.
///
/// You rarely write one: `addObserver` makes it from its default arguments, and hands it through
/// `any SimpleEventObservable` to the event, so that a misuse can be reported with its origin. A type
/// of yours that forwards to an event can pass it on.
public struct RegistrationSite: Sendable {
  /// The module and file, as in `"MyModule/Model.swift"`.
  public let fileID: StaticString
  /// The line, counted from one.
  public let line: UInt
  /// The actor whose code registered the observer, and nil where that code was on none.
  public let isolation: (any Actor)?

  /// Creates a site; the defaults describe the caller.
  public init(
    isolation: (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.fileID = fileID
    self.line = line
    self.isolation = isolation
  }
}

extension RegistrationSite: CustomStringConvertible {
  /// The file and the line, as a compiler prints them.
  public var description: String { "\(fileID):\(line)" }
}
