import DAOMacros
import Foundation

@Sendable func grdbDate(_ stored: StoredValue) throws -> Date? {
  guard case .text(let text) = stored else { return nil }
  let formatter = DateFormatter()
  formatter.locale = Locale(identifier: "en_US_POSIX")
  formatter.timeZone = TimeZone(secondsFromGMT: 0)
  formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
  guard let date = formatter.date(from: text) else { throw ValueProblem("is no date of GRDB: \(text)") }
  return date
}
