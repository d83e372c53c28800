import DAOImport
import DAOMacros
import Foundation
import Testing

/// Tests that import parcels.
protocol ParcelImporting {
  var factory: DAOFactory { get }
}

extension ParcelImporting {
  var parcels: RuntimeDAO<Parcel> { factory.runtimeDAO(Parcel.self) }
  var shops: RuntimeDAO<Shop> { factory.runtimeDAO(Shop.self) }

  /// Imports a feed, and returns its report as text.
  @discardableResult
  func read(_ feed: String, _ mapping: ImportMapping<Parcel> = ImportMapping()) throws -> String {
    "\(try parcels.import(.json(Data(feed.utf8)), mapping))"
  }

  /// The pointers of the problems of a feed, of which nothing is stored.
  func problems(_ feed: String, _ mapping: ImportMapping<Parcel> = ImportMapping()) throws -> [String] {
    let count = try parcels.count()
    defer { #expect((try? parcels.count()) == count) }
    do {
      try read(feed, mapping)
      return []
    } catch let failure as ImportFailure {
      return failure.problems.map(\.pointer)
    }
  }

  func parcel(_ number: Int = 1) throws -> Parcel { try #require(try parcels.findFirst(.where { $0.number == number })) }

  func tags(_ number: Int = 1) throws -> [String] {
    try parcels.find(try #require(try parcel(number).id), prefetch: \.tags).tags.get().map(\.name).sorted()
  }

  /// A store of parcels, whose statements are printed.
  static func factory(_ printed: Printed = Printed()) throws -> DAOFactory {
    try DAOFactory(
      store: .inMemory(), entities: Parcel.self, Shop.self, Tag.self, ParcelTag.self, Node.self, Depot.self,
      trace: { printed.append($0.sql) })
  }
}
