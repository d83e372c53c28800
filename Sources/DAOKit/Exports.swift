@_exported import DAOCriteria
@_exported import DAOSQL
@_exported import DAOSQLite
