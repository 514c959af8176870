/// A place in the source: the file and the line of a call.
///
/// Methods that register, remove or create objects create a call site from their default arguments, so that a
/// diagnostic can name the caller. A type that forwards ``SimpleEventObservable`` to an event can forward the
/// call site.
public struct CallSite: Sendable {
  /// The module and the file.
  ///
  /// For example `"MyModule/Model.swift"`.
  public let fileID: StaticString
  /// The line, counted from one.
  public let line: UInt

  /// Creates a call site; by default that of the caller.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    self.fileID = fileID
    self.line = line
  }
}

extension CallSite: CustomStringConvertible {
  /// The file and the line, as a compiler prints them.
  public var description: String { "\(fileID):\(line)" }
}
