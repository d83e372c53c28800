@_exported import DAOCriteria
@_exported import DAOEvaluator
@_exported import DAOSQL
@_exported import DAOSQLite
