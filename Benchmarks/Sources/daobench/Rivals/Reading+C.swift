// Readings through SQLite's C functions.
extension Reading {
  static let columns = "id, sensor, note, value, isValid, takenAt"

  /// The row on which a statement for ``columns`` stands.
  @inline(__always)
  init(_ row: CStatement) {
    self.init(
      id: row.integer(0), sensor: row.text(1), note: row.optionalText(2), value: row.real(3), isValid: row.integer(4) != 0,
      takenAt: row.optionalDate(5))
  }

  /// Binds the values in the order of ``columns``.
  @inline(__always)
  func bind(to statement: CStatement) {
    statement.bind(id, 1)
    statement.bind(sensor, 2)
    statement.bind(note, 3)
    statement.bind(value, 4)
    statement.bind(isValid ? 1 : 0 as Int64, 5)
    statement.bind(takenAt, 6)
  }
}

extension CStatement {
  /// Every reading that the statement yields.
  func readings() throws -> [Reading] {
    var readings: [Reading] = []
    while try step() { readings.append(Reading(self)) }
    reset()
    return readings
  }

  /// The readings of a statement with a limit, after which it is not asked for more.
  func readings(limit: Int) throws -> [Reading] {
    var readings: [Reading] = []
    readings.reserveCapacity(limit)
    while readings.count < limit, try step() { readings.append(Reading(self)) }
    reset()
    return readings
  }
}

extension CDatabase {
  func insert(_ readings: [Reading]) throws {
    let statement = try CStatement(self, "INSERT INTO reading (\(Reading.columns)) VALUES (?, ?, ?, ?, ?, ?)")
    for reading in readings {
      reading.bind(to: statement)
      try statement.run()
    }
  }
}
