import DAOCriteria
import Testing

/// The problems of a query, as they read.
package func problems(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
  do { try body() } catch DAOError.invalidCriteria(_, let problems) { return problems.map(\.description) } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return []
}

/// The call to use instead, of a misuse.
package func misuse(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
  do { try body() } catch DAOError.misuse(_, let use) { return use } catch { Issue.record(error, sourceLocation: sourceLocation) }
  return nil
}
