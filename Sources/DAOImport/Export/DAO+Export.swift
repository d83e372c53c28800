import DAOKit
import Foundation

extension DAO {
  /// Writes the rows of a query to a file, as records that `import` reads.
  ///
  /// ```swift
  /// try books.export(.where { $0.pages > 100 }.prefetch(\.reviews), as: .json, to: url)
  /// ```
  ///
  /// The mapping is the one by which records are read: the value of an attribute stands at the first of its paths, a date in the first of
  /// its forms; excluded attributes are left out. Rows that the criteria prefetch are objects in the record. Of other relationships, a
  /// record has the identity of the other row, or of the paired rows; rows that hold this row's key have its identity in their own
  /// records. CSV has neither objects nor lists: prefetches and many-to-many relationships are ``DAOError/misuse(_:use:)`` there.
  ///
  /// Rows are read as they are written, from one snapshot. The file takes its name when it is complete; what was there stays until then.
  /// - Parameters:
  ///   - criteria: which rows, in which order, with which related rows.
  ///   - form: the form of the file.
  ///   - url: the file.
  ///   - mapping: changes to the mapping that the entity declares. Its hooks are for imports.
  /// - Returns: how many records were written.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` where the mapping can't be written;
  ///   ``DAOError/invalidValue(entity:attribute:problem:)`` for a value that no record can hold; Foundation's error where the file can't be
  ///   written; ``DAOError``.
  @discardableResult
  public final func export(
    _ criteria: SearchCriteria<E> = .all, as form: RecordForm, to url: URL, _ mapping: ImportMapping<E> = ImportMapping()
  ) throws -> Int {
    let exporter = try RecordExporter(target, mapping.parts, form, refine(criteria).criteria)
    let file = try ExportFile(url)
    do {
      let count = try exporter.write(from: context.store, to: file.write)
      try file.complete()
      return count
    } catch {
      file.discard()
      throw error
    }
  }

  /// The rows of a query as records, in memory: as `export` writes them.
  /// - Throws: as `export`.
  public final func exported(
    _ criteria: SearchCriteria<E> = .all, as form: RecordForm, _ mapping: ImportMapping<E> = ImportMapping()
  ) throws -> Data {
    var data = Data()
    _ = try RecordExporter(target, mapping.parts, form, refine(criteria).criteria).write(from: context.store) { data += $0 }
    return data
  }

  /// Runs `export` on the store's queue.
  @discardableResult
  public final func export(
    _ criteria: SearchCriteria<E> = .all, as form: RecordForm, to url: URL, _ mapping: ImportMapping<E> = ImportMapping()
  ) async throws -> Int {
    try await context.store.perform(.read) { try self.export(criteria, as: form, to: url, mapping) }
  }

  /// Runs `exported` on the store's queue.
  public final func exported(
    _ criteria: SearchCriteria<E> = .all, as form: RecordForm, _ mapping: ImportMapping<E> = ImportMapping()
  ) async throws -> Data {
    try await context.store.perform(.read) { try self.exported(criteria, as: form, mapping) }
  }
}
