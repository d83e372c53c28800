#if canImport(SwiftUI)
  import SwiftUI

  extension EnvironmentValues {
    /// The factory that views ask for their DAOs; nil where nobody has set it.
    ///
    /// ```swift
    /// WindowGroup { CityList().environment(\.daoFactory, factory) }
    /// #Preview { CityList().environment(\.daoFactory, try? DAOFactory(store: .evaluator, entities: City.self)) }
    /// ```
    public var daoFactory: DAOFactory? {
      get { self[DAOFactoryKey.self] }
      set { self[DAOFactoryKey.self] = newValue }
    }
  }

  private struct DAOFactoryKey: EnvironmentKey {
    static let defaultValue: DAOFactory? = nil
  }
#endif
