/// The hub, event or callback that a diagnostic is about, and the handler that receives the diagnostic.
@usableFromInline package struct DiagnosticSubject: Sendable {
  package let type: Any.Type
  package let label: String?
  package let misuse: MisuseHandler
  /// Where the object was created; nil if that was not recorded.
  package let site: CallSite?
}

extension DiagnosticSubject {
  /// An object without a label, whose place of creation is not recorded.
  package init(_ type: Any.Type) { self.init(type: type, label: nil, misuse: .debugTrap, site: nil) }

  @usableFromInline package init(
    _ type: Any.Type, label: String?, misuse: MisuseHandler, fileID: StaticString, line: UInt
  ) {
    let site = CallSite(fileID: fileID, line: line)
    self.init(type: type, label: label, misuse: misuse, site: site)
  }

  /// Whether a list of observers has to keep the subject, for its label or for diagnostics.
  var needsDiagnostics: Bool { label != nil || misuse.isActive }

  /// The type, and the label if there is one.
  package var name: String { label.map { "\(type) \"\($0)\"" } ?? "\(type)" }

  /// A clause that says where the object was created.
  package func origin(_ verb: String) -> String { site.map { "\(verb) at \($0)" } ?? "" }

  /// A sentence that says where the object was created, with a space before it.
  var origin: String {
    site.map { " The \(label.map { "object labelled \"\($0)\"" } ?? "\(type)") was created at \($0)." } ?? ""
  }
}
