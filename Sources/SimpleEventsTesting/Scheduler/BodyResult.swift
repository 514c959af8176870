public import Synchronization

/// Whether a body has ended. The driver checks this after each entry. The class is not generic, so that the
/// check needs no generic code.
@_fixed_layout
@usableFromInline
class BodyCompletion: @unchecked Sendable {
  // SAFETY: the class has no variable. The conformance is `@unchecked`, because the subclass inherits it. The
  // subclass has a proof of its own.
  @usableFromInline let flag: Atomic<Bool>

  @inlinable
  init() { flag = Atomic(false) }

  /// The load acquires the writes of the body's task.
  @inlinable final var isFinished: Bool { flag.load(ordering: .acquiring) }
}

/// The result or the error of a body that has ended.
@_fixed_layout
@usableFromInline
final class BodyResult<Output>: BodyCompletion, @unchecked Sendable {
  // SAFETY: the body's task writes the result once, and then sets the flag. The store to the flag releases
  // the write. The driver reads the result after it has seen the flag.
  @usableFromInline var result: Result<Output, any Error>?

  @inlinable
  override init() { super.init() }

  @inlinable
  func store(resultOf body: () async throws -> Output) async {
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    flag.store(true, ordering: .releasing)
  }

  @MainActor func store(resultOf body: @MainActor () async throws -> Output) async {
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    flag.store(true, ordering: .releasing)
  }

  /// Returns the result of a body that has ended, or throws its error.
  @inlinable
  func get() throws -> Output {
    guard isFinished, let result else { fatalError("the body has not ended") }
    return try result.get()
  }
}
