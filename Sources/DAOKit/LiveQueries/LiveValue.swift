import Observation

/// The result of a live query on the main actor, for views that observe it.
///
/// ```swift
/// struct ZoneList: View {
///   @State private var zones: LiveValue<[Zone]>
///
///   init(_ dao: ZoneDAO) { _zones = State(initialValue: LiveValue(dao.observe(.all.order(by: \.name)), initially: [])) }
///
///   var body: some View { List(zones.value) { Text($0.name) } }
/// }
/// ```
///
/// It follows the commits until it is released. Its query runs on the store's threads, never on the main one.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
public final class LiveValue<Value: Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private var current: Value
  private var failure: (any Error)?
  private let loop = Loop()

  /// Follows a live query.
  /// - Parameters:
  ///   - query: the query.
  ///   - value: what it is until the first result is there.
  public convenience init(_ query: LiveQuery<Value>, initially value: Value) { self.init(query, value) { $0 } }

  /// Follows a live query; the value is nil until the first result is there.
  public convenience init<Result>(_ query: LiveQuery<Result>) where Value == Result? { self.init(query, nil) { $0 } }

  private init<Result>(_ query: LiveQuery<Result>, _ value: Value, _ make: @escaping @Sendable (Result) -> Value) {
    current = value
    loop.task = Task { [weak self] in
      do { for try await result in query.prompt { self?.take(make(result)) } } catch { self?.end(error) }
    }
  }

  /// The last result.
  public var value: Value {
    registrar.access(self, keyPath: \.value)
    return current
  }

  /// The error that has ended the query; nil while it goes on. ``value`` stays what it was.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.error)
    return failure
  }

  private func take(_ value: Value) { registrar.withMutation(of: self, keyPath: \.value) { current = value } }

  private func end(_ error: any Error) { registrar.withMutation(of: self, keyPath: \.error) { failure = error } }

  /// Ends the loop with the object, on whatever thread that is.
  private final class Loop: @unchecked Sendable {
    // Set once, before anybody else knows the object.
    var task: Task<Void, Never>?

    deinit { task?.cancel() }
  }
}
