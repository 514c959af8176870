#if DEBUG
  package import SimpleEvents

  /// The variables that a variable follows. Debug builds use them to flag a cycle of bindings.
  @usableFromInline package final class FollowedVariables<Value>: Sendable {
    // SAFETY: the weak reference is read and written only under the lock.
    private struct Entry: @unchecked Sendable {
      weak var variable: Variable<Value>?
      let binding: ObjectIdentifier
    }

    /// Guards the entries. Each entry lasts as long as its binding.
    private let entries: Guarded<[Entry]> = Guarded([])

    @usableFromInline package init() {}

    /// Whether one of these variables is the given variable, or follows it directly or through further
    /// variables.
    package func contains(_ variable: Variable<Value>) -> Bool {
      var seen: Set<ObjectIdentifier> = []
      var unseen = variables
      while let next = unseen.popLast() {
        if next === variable { return true }
        if seen.insert(ObjectIdentifier(next)).inserted {
          unseen += next.followed.variables
        }
      }
      return false
    }

    /// Adds a variable to this list, and returns a token for its binding. The removal of the returned token
    /// removes the given token, and removes the variable from this list.
    package func add(_ variable: Variable<Value>, until token: any SimpleEventToken) -> any SimpleEventToken {
      let binding = Binding(token, of: self)
      entries.withLock { $0.append(Entry(variable: variable, binding: ObjectIdentifier(binding))) }
      return binding
    }

    // The variables are released after the lock is released.
    private var variables: [Variable<Value>] { entries.withLock { $0.compactMap(\.variable) } }

    private func remove(_ binding: ObjectIdentifier) {
      entries.withLock { entries in entries.removeAll { $0.binding == binding } }
    }

    /// The token of a binding.
    private final class Binding: SimpleEventToken {
      private let token: any SimpleEventToken
      private let list: FollowedVariables

      init(_ token: any SimpleEventToken, of list: FollowedVariables) {
        self.token = token
        self.list = list
      }

      deinit { remove() }

      func remove() {
        token.remove()
        list.remove(ObjectIdentifier(self))
      }
    }
  }
#endif
