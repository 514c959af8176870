internal import SimpleObservables

/// A model whose properties are variables.
///
/// SAFETY: `@unchecked`, because the workload uses a model only on its queue.
final class VariableModel: TenProperties, @unchecked Sendable {
  private let variables: [Variable<Int>] = (0..<10).map { _ in Variable(0) }

  /// The values of all properties, sent when they change.
  var changes: Observable<Int> { .merge(variables) }

  var a: Int {
    get { variables[0].value }
    set { variables[0].value = newValue }
  }

  var b: Int {
    get { variables[1].value }
    set { variables[1].value = newValue }
  }

  var c: Int {
    get { variables[2].value }
    set { variables[2].value = newValue }
  }

  var d: Int {
    get { variables[3].value }
    set { variables[3].value = newValue }
  }

  var e: Int {
    get { variables[4].value }
    set { variables[4].value = newValue }
  }

  var f: Int {
    get { variables[5].value }
    set { variables[5].value = newValue }
  }

  var g: Int {
    get { variables[6].value }
    set { variables[6].value = newValue }
  }

  var h: Int {
    get { variables[7].value }
    set { variables[7].value = newValue }
  }

  var i: Int {
    get { variables[8].value }
    set { variables[8].value = newValue }
  }

  var j: Int {
    get { variables[9].value }
    set { variables[9].value = newValue }
  }
}
