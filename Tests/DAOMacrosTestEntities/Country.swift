import DAOMacros

/// A public entity, for tests that use it from outside its module.
@Entity(table: "countries")
public struct Country: Hashable {
  /// The key, of two letters.
  @ID public var code: String
  /// The name in English.
  @Attribute(.unique) public var name: String
  /// Not for other modules.
  var notes: String?
  /// Not for other files.
  private var visits: Int = 0

  /// A country.
  public init(code: String, name: String) {
    self.code = code
    self.name = name
  }
}

/// A public entity with a relationship.
@Entity
public struct Town: Hashable {
  /// The key.
  @ID public var id: Int64?
  /// Where it is.
  @ToOne(onDelete: .cascade) public var country: Reference<Country>
  /// Towns that it is the capital of the district of.
  @ToMany(\Town.capital) public var district: Many<Town> = Many()
  /// The capital of its district.
  @ToOne public var capital: Reference<Town>?

  /// A town.
  public init(id: Int64?, country: Reference<Country>, capital: Reference<Town>? = nil) {
    self.id = id
    self.country = country
    self.capital = capital
  }
}

/// A public entity with a key of two parts.
@Entity
public struct Border: Hashable {
  /// One side.
  @ID public var first: String
  /// The other side.
  @ID public var second: String

  /// A border.
  public init(first: String, second: String) {
    self.first = first
    self.second = second
  }
}
