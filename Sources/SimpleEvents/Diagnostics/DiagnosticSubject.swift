/// The object that a diagnostic is about, for example an event, and the handler that receives the diagnostic.
@usableFromInline package struct DiagnosticSubject: Sendable {
  package let type: Any.Type
  package let label: String?
  package let misuse: MisuseHandler
  /// Where the object was created; nil if that was not recorded.
  package let site: CallSite?
}

extension DiagnosticSubject {
  /// Creates the subject of an object that has no label and no recorded place of creation.
  package init(_ type: Any.Type) { self.init(type: type, label: nil, misuse: .debugTrap, site: nil) }

  @usableFromInline package init(
    _ type: Any.Type, label: String?, misuse: MisuseHandler, fileID: StaticString, line: UInt
  ) {
    let site = CallSite(fileID: fileID, line: line)
    self.init(type: type, label: label, misuse: misuse, site: site)
  }

  /// Whether a list of observers has to store the subject, for its label or for diagnostics.
  var needsDiagnostics: Bool { label != nil || misuse.isActive }

  /// The type, and the label if there is one.
  package var name: String { label.map { "\(type) \"\($0)\"" } ?? "\(type)" }

  /// A clause that says where the object was created; empty if the place is not recorded.
  package func origin(_ verb: String) -> String { site.map { "\(verb) at \($0)" } ?? "" }

  /// A space and a sentence that says where the object was created; empty if the place is not recorded.
  var origin: String {
    site.map { " The \(label.map { "object labelled \"\($0)\"" } ?? "\(type)") was created at \($0)." } ?? ""
  }
}
