/// Observers with tokens, as in signal libraries: an array of numbered closures, and for each closure a token
/// that refers weakly to the list.
final class TokenList {
  /// The token of a closure. The deallocation of the token removes the closure. The token does not retain the
  /// list.
  final class Token {
    private weak var list: TokenList?
    private let id: Int

    fileprivate init(_ list: TokenList, _ id: Int) {
      self.list = list
      self.id = id
    }

    deinit {
      list?.remove(id)
    }
  }

  private var entries: [(id: Int, closure: (Int) -> Void)] = []
  private var lastID: Int = 0

  func add(_ closure: @escaping (Int) -> Void) -> Token {
    lastID += 1
    entries.append((lastID, closure))
    return Token(self, lastID)
  }

  private func remove(_ id: Int) {
    if let index = entries.firstIndex(where: { $0.id == id }) {
      entries.remove(at: index)
    }
  }
}
