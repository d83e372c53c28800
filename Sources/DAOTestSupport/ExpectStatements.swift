import Testing

// How many statements run. Those that begin and end transactions, and samples, are not counted.

/// Runs a body and expects that it takes at most a number of statements.
///
/// ```swift
/// try expectStatements(atMost: 2, in: statements) { try zones.findAll(criteria.prefetch(\.country)) }
/// ```
/// - Throws: what the body throws; ``FailedExpectation`` outside of Swift Testing.
@discardableResult
public func expectStatements<Result>(
  atMost most: Int, in recorder: StatementRecorder, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) throws -> Result {
  try recorder.during(body).expecting(0...max(0, most), sourceLocation)
}

/// Runs a body and expects that it takes exactly a number of statements.
/// - Throws: what the body throws; ``FailedExpectation`` outside of Swift Testing.
@discardableResult
public func expectStatements<Result>(
  exactly count: Int, in recorder: StatementRecorder, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) throws -> Result {
  try recorder.during(body).expecting(count...count, sourceLocation)
}

/// Runs a body and expects that it takes at most a number of statements.
/// - Throws: what the body throws; ``FailedExpectation`` outside of Swift Testing.
@discardableResult
public func expectStatements<Result>(
  atMost most: Int, in recorder: StatementRecorder, sourceLocation: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> Result {
  try await recorder.during(body).expecting(0...max(0, most), sourceLocation)
}

/// Runs a body and expects that it takes exactly a number of statements.
/// - Throws: what the body throws; ``FailedExpectation`` outside of Swift Testing.
@discardableResult
public func expectStatements<Result>(
  exactly count: Int, in recorder: StatementRecorder, sourceLocation: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> Result {
  try await recorder.during(body).expecting(count...count, sourceLocation)
}

/// Runs a body and expects that it does not run one reading statement repeatedly, as a loop does that queries the related rows of each row
/// separately, where `prefetch` queries once. (`find` of several keys is one statement for each key.)
///
/// ```swift
/// try expectNoRepeats(in: statements) {
///   for zone in try zones.findAll() { names.append(try countries.find(zone.country.key).name) }
///   // fails: ran 400 times: SELECT … FROM "country" WHERE "code" = ?1
/// }
/// ```
/// - Parameters:
///   - most: how often one statement may run.
///   - recorder: records the statements of the factory.
///   - sourceLocation: where a failure is reported.
///   - body: the code to run.
/// - Throws: what the body throws; ``FailedExpectation`` outside of Swift Testing.
@discardableResult
public func expectNoRepeats<Result>(
  moreThan most: Int = 2, in recorder: StatementRecorder, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) throws -> Result {
  try recorder.during(body).expectingNoRepeats(moreThan: most, sourceLocation)
}

/// Runs a body and expects that it does not run one reading statement repeatedly.
/// - Throws: what the body throws; ``FailedExpectation`` outside of Swift Testing.
@discardableResult
public func expectNoRepeats<Result>(
  moreThan most: Int = 2, in recorder: StatementRecorder, sourceLocation: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> Result {
  try await recorder.during(body).expectingNoRepeats(moreThan: most, sourceLocation)
}

extension Recording {
  fileprivate func expecting(_ expected: ClosedRange<Int>, _ location: SourceLocation) throws -> Result {
    if !expected.contains(queries.count) {
      let wanted = expected.lowerBound == expected.upperBound ? "\(expected.upperBound)" : "at most \(expected.upperBound)"
      let ran = queries.count == 1 ? "1 statement" : "\(queries.count) statements"
      try fail("ran \(ran), not \(wanted):\n\(queries.joined(separator: "\n"))", location)
    }
    return result
  }

  /// Writes of many rows run one statement for each by design.
  fileprivate func expectingNoRepeats(moreThan most: Int, _ location: SourceLocation) throws -> Result {
    var counts: [String: Int] = [:]
    for text in queries where text.begins(with: "SELECT") || text.begins(with: "WITH") { counts[text, default: 0] += 1 }
    for (text, count) in counts.sorted(by: { $0.key < $1.key }) where count > most { try fail("ran \(count) times: \(text)", location) }
    return result
  }
}

extension String {
  /// Whether SQL, which a person may have written, begins with a word.
  fileprivate func begins(with word: String) -> Bool { drop(while: \.isWhitespace).prefix(word.count).uppercased() == word }
}
