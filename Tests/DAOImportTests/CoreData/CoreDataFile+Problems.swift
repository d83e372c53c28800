import DAOKit

@testable import DAOImport

extension CoreDataFile {
  /// Notes and folders, whose titles and parents are in columns of their own.
  static let objects = """
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Object', 0, 0), (2, 'Note', 1, 0), (3, 'Folder', 1, 0);
    CREATE TABLE ZOBJECT (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR, ZTITLE1 VARCHAR, ZTITLE2 VARCHAR, ZFOLDER INTEGER,
      ZPARENT INTEGER, Z3_PARENT INTEGER, Z_FOK_PARENT INTEGER);
    CREATE INDEX ZOBJECT_Z_ENT_INDEX ON ZOBJECT (Z_ENT);
    CREATE INDEX ZOBJECT_ZFOLDER_INDEX ON ZOBJECT (ZFOLDER);
    CREATE INDEX ZFOLDER_ZPARENT_INDEX ON ZOBJECT (ZPARENT);
    INSERT INTO ZOBJECT (Z_PK, Z_ENT, ZTITLE1, ZTITLE2, ZFOLDER, ZPARENT, Z3_PARENT) VALUES
      (1, 2, 'note', NULL, 3, NULL, NULL), (2, 3, NULL, 'folder', NULL, 3, 3), (3, 3, NULL, 'top', NULL, NULL, NULL),
      (4, 2, NULL, NULL, NULL, NULL, NULL);
    """

  /// The problems of the mappings of an import into a store with these entities.
  func problems(_ entities: [EntityDescription], _ mappings: [CoreDataMapping]) throws -> [String] {
    let factory = try DAOFactory(store: .inMemory(), describedBy: entities)
    do { try CoreDataStore(url).import(into: factory, mappings) } catch DAOError.invalidDescription(_, let problems) { return problems }
    return []
  }
}
