import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite

/// `dao_sum(x, type, entity, attribute)` and `dao_average(…)`: the same in any order of the rows; see ``AttributeSum``. The last three say
/// which stored values the attribute may have, and what an error about another one names. Without them, values that are no numbers are
/// ignored.
enum SumFunctions {
  static func install(in database: Database) {
    let flags = ConnectionFunctions.flags
    for count: Int32 in [1, 4] {
      sqlite3_create_function_v2(
        database.sqliteConnection, "dao_sum", count, flags, nil, nil,
        { context, count, values in SumFunctions.add(context, count, values, isMean: false) }, { SumFunctions.finish($0) }, nil)
      sqlite3_create_function_v2(
        database.sqliteConnection, "dao_average", count, flags, nil, nil,
        { context, count, values in SumFunctions.add(context, count, values, isMean: true) }, { SumFunctions.finish($0) }, nil)
    }
  }

  /// The sum of a group so far.
  private final class Total {
    @exclusivity(unchecked) var sum: AttributeSum
    /// After a value of another form nothing is added.
    @exclusivity(unchecked) var hasFailed = false

    init(_ type: AttributeType, isMean: Bool) { sum = AttributeSum(type, isMean: isMean) }
  }

  private static func add(_ context: OpaquePointer?, _ count: Int32, _ values: TextFunctions.Values, isMean: Bool) {
    let type = sqlite3_value_type(values?[0])
    if type == SQLITE_NULL { return }
    guard let memory = GroupMemory<Total>.made(context) else { return sqlite3_result_error_nomem(context) }
    // Most values are doubles after the first of their group: then the total is not retained, and no `StoredValue` is made.
    if type == SQLITE_FLOAT, let kept = memory.pointee {
      let isAdded = Unmanaged<Total>.fromOpaque(kept)._withUnsafeGuaranteedRef { total in
        !total.hasFailed && total.sum.add(double: sqlite3_value_double(values?[0]))
      }
      if isAdded { return }
    }
    let total: Total
    if let kept = memory.pointee {
      total = Unmanaged<Total>.fromOpaque(kept).takeUnretainedValue()
    } else {
      total = Total(count == 1 ? .any : AttributeType(declaredName: TextFunctions.string(values, 1)), isMean: isMean)
      memory.pointee = Unmanaged.passRetained(total).toOpaque()
    }
    if total.hasFailed { return }
    do {
      switch type {
      case SQLITE_INTEGER: try total.sum.add(.integer(sqlite3_value_int64(values?[0])))
      case SQLITE_FLOAT: try total.sum.add(.real(sqlite3_value_double(values?[0])))
      case SQLITE_TEXT: try total.sum.add(.text(TextFunctions.string(values, 0)))
      default:
        let bytes = sqlite3_value_blob(values?[0]).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(values?[0]))) }
        try total.sum.add(.blob(bytes ?? Data()))
      }
    } catch {
      total.hasFailed = true
      let origin = TermOrigin(entity: TextFunctions.string(values, 2), attribute: TextFunctions.string(values, 3))
      sqlite3_result_error(context, UndecodableMessage(origin, "\(error)").text, -1)
    }
  }

  private static func finish(_ context: OpaquePointer?) {
    // Without a value there is no total, and the result is null.
    guard let total = GroupMemory<Total>.taken(context), !total.hasFailed else { return }
    switch total.sum.result {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(var text): text.withUTF8 { TextFunctions.reply(context, $0) }
    case .null, .blob: break
    case nil: sqlite3_result_error(context, "the sum overflows", -1)
    }
  }
}
