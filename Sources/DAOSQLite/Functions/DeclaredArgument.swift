import DAOCriteria
import GRDBSQLite

/// The type that an argument of a function names: `dao_year("sold", 'DATETIME_TEXT YYYY-MM-DD')`. Where it is the same for all rows, its
/// name is read once for a statement.
final class DeclaredArgument {
  private let type: AttributeType

  private init(_ type: AttributeType) { self.type = type }

  static func type(_ context: TextFunctions.Context, _ values: TextFunctions.Values, _ position: Int) -> AttributeType {
    if let kept = sqlite3_get_auxdata(context, CInt(position)) {
      return Unmanaged<DeclaredArgument>.fromOpaque(kept).takeUnretainedValue().type
    }
    let type = AttributeType(declaredName: TextFunctions.string(values, position))
    sqlite3_set_auxdata(context, CInt(position), Unmanaged.passRetained(DeclaredArgument(type)).toOpaque()) { kept in
      if let kept { Unmanaged<DeclaredArgument>.fromOpaque(kept).release() }
    }
    return type
  }
}
