/// Why a text is no JSON.
package struct NotJSON: Error {
  package let problem: DAOError.CriteriaProblem
}
