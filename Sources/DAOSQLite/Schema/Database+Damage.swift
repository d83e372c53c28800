import GRDB

extension Database {
  /// The first thing that `PRAGMA quick_check` finds wrong with the pages; nil where nothing is.
  ///
  /// The checks of the schema are left out: their SQL is the file's, may take any time and memory, and says nothing of damage.
  func firstDamage() throws -> String? {
    try run("PRAGMA ignore_check_constraints = ON")
    defer { try? run("PRAGMA ignore_check_constraints = OFF") }
    return try bareRows("PRAGMA quick_check(1)") { $0.text(0) }.first { $0 != "ok" }
  }
}
