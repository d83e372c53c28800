import DAOCriteria
import Testing

@testable import DAOSQLite

@Suite("SQLite's errors by their names here")
struct ErrorTests {
  private func error(_ code: Int32, _ message: String) -> DAOError {
    DAOError(DAOError.EngineFailure(code: code, message: message), entity: nil)
  }

  @Test func `an overflow of a number is one, an overflow of the parser is a query that is nested too deep`() {
    if case .overflow = error(1, "integer overflow") {} else { Issue.record("a sum's overflow has another name") }
    guard case .invalidCriteria(_, let problems) = error(1, "parser stack overflow") else {
      Issue.record("the parser's overflow has another name")
      return
    }
    #expect(problems.map(\.message) == ["the criteria are nested too deep"])
  }

  @Test(arguments: ["too many SQL variables", "variable number must be between ?1 and ?32766"])
  func `too many parameters are a query that has too many values`(message: String) {
    guard case .invalidCriteria(_, let problems) = error(1, message) else {
      Issue.record("too many parameters have another name")
      return
    }
    #expect(problems.map(\.message) == ["has more values than a statement takes"])
  }
}
