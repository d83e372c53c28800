import Foundation

extension DAOFactory {
  /// Examines a database that another program made: its tables and views, the form of each column's values with how sure that is and why,
  /// and what could not be understood. It only reads, in one snapshot, every row twice.
  ///
  /// ```swift
  /// let shop = try DAOFactory.inspect(url)
  /// print(shop)                                                              // a line for each column
  /// print(try shop.swiftSource())                                            // an @Entity struct for each table
  /// let factory = try DAOFactory(store: .file(url), corrections: shop.corrections)   // or without Swift types
  /// ```
  ///
  /// Of a view at most 10,000 rows are read, within the steps and seconds of a ``RunBudget``.
  /// - Throws: ``DAOError/bootstrap(_:)`` where there is no such file, or it is no database, and as ``StoreDoctor/examine(_:)-(URL)``. A
  ///   view that can't be read, and a table whose rows can't, are problems of the finding.
  public static func inspect(_ store: URL) throws -> StoreInspection { try StoreInspector.inspect(store) }
}
