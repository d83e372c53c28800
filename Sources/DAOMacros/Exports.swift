@_exported import DAOKit
