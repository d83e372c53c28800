import DAOImport
import DAOKit

extension Entity {
  /// Imports the records of a feed: `Person.import(.json(data))`; see `DAO.import`.
  @discardableResult
  public static func `import`(
    _ source: ImportSource, _ mapping: ImportMapping<Self> = ImportMapping(), deletingAbsent absent: Filter<Self>? = nil,
    options: ImportOptions = ImportOptions(), in maker: (any DAOMaker)? = nil
  ) throws -> ImportReport {
    try dao(in: maker).import(source, mapping, deletingAbsent: absent, options: options)
  }

  /// Awaits `import(_:_:deletingAbsent:options:in:)`.
  @discardableResult
  public static func `import`(
    _ source: ImportSource, _ mapping: ImportMapping<Self> = ImportMapping(), deletingAbsent absent: Filter<Self>? = nil,
    options: ImportOptions = ImportOptions(), in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> ImportReport {
    try await dao(in: maker).import(source, mapping, deletingAbsent: absent, options: options)
  }
}
