import DAOCriteria
import GRDB
import GRDBSQLite

/// `dao_groupConcat(text, separator, key, 'DESC NULLS LAST INTEGER', …)`: the texts of a group in an order; see ``JoinedTexts``. SQLite's
/// own has an order only since 3.44, and takes numbers for texts.
enum GroupConcatFunction {
  static func install(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_groupConcat", -1, ConnectionFunctions.flags, nil, nil,
      { GroupConcatFunction.add($0, Int($1), $2) }, { GroupConcatFunction.finish($0) }, nil)
  }

  private final class Group {
    @exclusivity(unchecked) var texts: JoinedTexts
    // After an error nothing is added.
    @exclusivity(unchecked) var hasFailed = false

    init(_ count: Int, _ values: TextFunctions.Values) {
      let keys = stride(from: 3, to: count, by: 2).map { place in
        // The last part is empty for a column without a type, and may have blanks.
        let words = TextFunctions.string(values, place).split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        return JoinedTexts.Key(
          words.first == "ASC" ? .ascending : .descending, nulls: words.dropFirst(2).first == "FIRST" ? .first : .last,
          AttributeType(declaredName: String(words.dropFirst(3).first ?? "")))
      }
      texts = JoinedTexts(keys, separator: TextFunctions.string(values, 1))
    }
  }

  private static func add(_ context: OpaquePointer?, _ count: Int, _ values: TextFunctions.Values) {
    // SQL of a person's own may call it too.
    guard count >= 2, count.isMultiple(of: 2) else {
      return sqlite3_result_error(context, "dao_groupConcat takes a text, a separator, and each key with its order", -1)
    }
    guard let bytes = TextFunctions.text(values, 0), FunctionCharge.take(bytes: bytes.count, context) else { return }
    guard let memory = GroupMemory<Group>.made(context) else { return sqlite3_result_error_nomem(context) }
    let group: Group
    if let kept = memory.pointee {
      group = Unmanaged<Group>.fromOpaque(kept).takeUnretainedValue()
    } else {
      group = Group(count, values)
      memory.pointee = Unmanaged.passRetained(group).toOpaque()
    }
    if group.hasFailed { return }
    let keys = stride(from: 2, to: count, by: 2).map { StoredValue(sqlite: values?[$0]) }
    do { try group.texts.add(String(decoding: bytes, as: UTF8.self), keys) } catch {
      group.hasFailed = true
      sqlite3_result_error(context, "\(error)", -1)
    }
  }

  private static func finish(_ context: OpaquePointer?) {
    guard let group = GroupMemory<Group>.taken(context), !group.hasFailed else { return }
    FunctionCharge.untilLimit(context) {
      let text = try group.texts.joined {
        guard FunctionCharge.take(4096, context) else { throw CancellationError() }
        try ConnectionLimits.goOn()
      }
      if var text { text.withUTF8 { TextFunctions.reply(context, $0) } }
    }
  }
}
