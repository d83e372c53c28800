import DAOCriteria

extension StoreSchema {
  /// The relationships that the store's foreign keys, and those that are stated beside it, make of a table:
  /// - to-one for each foreign key here, named by its column, without `_id`, ` ID`, `ID` or `Id` at the end; by the table that it points to
  ///   where it has several columns;
  /// - to-many for each foreign key of another table (or of this one) that points here, named by that table;
  /// - many-to-many for each table whose key is two foreign keys, one of which points here, named by the table at its other end.
  ///
  /// A foreign key between columns with different collations, or with one of the app's own, makes none: it holds of texts that criteria
  /// find different.
  ///
  /// A name that is taken, by another attribute too, gets the foreign key's columns behind it: `zone_by_parent_id`.
  func relationships(of table: Table, besides taken: [String]) -> [Relationship] {
    var names = taken
    func name(_ wanted: String, _ key: ForeignKey, mayBeColumn own: Bool = false) -> String {
      // The attribute that holds the key may lend its name.
      let isTaken = names.filter { SchemaName.same($0, wanted) || $0 == wanted }.count > (own && [wanted] == key.columns ? 1 : 0)
      var name = isTaken ? wanted + "_by_" + key.columns.joined(separator: "_") : wanted
      // Several tables may join the same two by columns of the same names.
      if isTaken {
        let first = name
        var number = 2
        while names.contains(where: { SchemaName.same($0, name) || $0 == name }) { (name, number) = ("\(first)_\(number)", number + 1) }
      }
      names.append(name)
      return name
    }
    var found: [Relationship] = []
    for key in table.foreignKeys {
      guard let target = self[key.table], !target.isView || key.isStated, let referenced = referenced(key, of: table) else { continue }
      // A foreign key makes its columns agree with those over there; rules without a case of their own are the store's affair.
      found.append(
        Relationship(
          name(Self.toOneName(key, target), key, mayBeColumn: true),
          .toOne(by: columns(key.columns, of: table), onDelete: rule(key, of: table)),
          // The description has the table's indexes as they are.
          referenced: referenced, declared: key.isStated ? .absent : .foreignKey, target: EntityOnDemand(target.name, in: self).get))
    }
    for other in tables {
      for key in other.foreignKeys where SchemaName.same(key.table, table.name) {
        guard let referenced = referenced(key, of: other) else { continue }
        found.append(
          Relationship(
            name(other.name, key), .toMany(by: columns(key.columns, of: other)), referenced: referenced,
            target: EntityOnDemand(other.name, in: self).get))
      }
    }
    for join in tables where !join.isView && join.foreignKeys.count == 2 {
      for (here, there) in [(join.foreignKeys[0], join.foreignKeys[1]), (join.foreignKeys[1], join.foreignKeys[0])]
      where SchemaName.same(here.table, table.name)
        && Set(columns(join.primaryKey, of: join)) == Set(columns(here.columns + there.columns, of: join))
      {
        // The other end is reached by its key alone.
        guard let target = self[there.table], let hereColumns = referenced(here, of: join),
          referenced(there, of: join) == columns(target.primaryKey, of: target)
        else { continue }
        found.append(
          Relationship(
            name(target.name, there), .manyToMany(by: columns(here.columns, of: join), to: columns(there.columns, of: join)),
            referenced: hereColumns, target: EntityOnDemand(target.name, in: self).get, through: EntityOnDemand(join.name, in: self).get))
      }
    }
    return found
  }

  private static func toOneName(_ key: ForeignKey, _ target: Table) -> String {
    guard key.columns.count == 1, let column = key.columns.first else { return target.name }
    guard let suffix = ["_id", " id", "ID", "Id"].first(where: column.hasSuffix) else { return column }
    let name = column.dropLast(suffix.count).reversed().drop { $0 == "_" || $0 == " " }.reversed()
    return name.isEmpty ? column : String(name)
  }

  /// The columns that a foreign key of a table points to, as the table there spells them; nil where there are none, where texts are not
  /// compared alike in both tables, or where a column can't be read.
  private func referenced(_ key: ForeignKey, of source: Table) -> [String]? {
    guard let table = self[key.table] else { return nil }
    let names = columns(of: key)
    guard names.count == key.columns.count, key.columns.allSatisfy({ source[$0]?.isReadable != false }),
      names.allSatisfy({ table[$0]?.isReadable != false })
    else { return nil }
    let areAlike = zip(key.columns, names).allSatisfy { here, there in
      source[here].flatMap { here in table[there].map(here.isCompared) } ?? true
    }
    return areAlike ? columns(names, of: table) : nil
  }

  /// Returns the attribute names of columns.
  private func columns(_ names: [String], of table: Table) -> [String] { names.map(table.attributeName) }

  /// Returns the delete rule that an entity can declare for a foreign key's action: see `reference(_:isOptional:in:)`.
  private func rule(_ key: ForeignKey, of table: Table) -> DeleteRule {
    let rule = DeleteRule(rawValue: SchemaName.capitals(key.onDelete)) ?? .deny
    return rule == .nullify && key.columns.contains { table[$0].map { $0.isNotNull || $0.primaryKeyPosition > 0 } ?? true } ? .deny : rule
  }
}
