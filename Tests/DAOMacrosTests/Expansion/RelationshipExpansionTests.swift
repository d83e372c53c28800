import Testing

@Suite("What @Entity writes of relationships")
struct RelationshipExpansionTests {
  // The example of the documentation, and one that is read property by property.
  @Test func `to-one, to-many and through pairs`() {
    expectExpansion(
      """
      @Entity
      public struct Zone {
        @ID public var id: Int64?
        @ToMany(\\Transition.zone) public var transitions: Many<Transition> = Many()
        @ToOne(onDelete: .nullify) @Attribute(.column("country_code")) public var country: Reference<Country>?
        @ManyToMany(by: \\Pair.zone, to: \\Pair.tag) var tags: Many<Reports.Tag>
      }
      """,
      """
      public struct Zone {
        public var id: Int64?
        public var transitions: Many<Transition> = Many()
        public var country: Reference<Country>?
        var tags: Many<Reports.Tag>
      }

      extension Zone: Entity {
        public static let entityDescription: EntityDescription = EntityDescription(
          "zone", key: .generated("id"),
          attributes: [
            DAOCriteria.Attribute("id", .integer),
            DAOCriteria.Attribute("country", .of(Reference<Country>.self), column: "country_code", optional: true),
          ],
          relationships: [
            .toMany("transitions", Transition.entityDescription, by: "zone"),
            .toOne("country", Country.entityDescription, by: "country", onDelete: .nullify),
            .manyToMany("tags", Reports.Tag.entityDescription, through: Pair.entityDescription, by: "zone", to: "tag"),
          ])

        public struct Fields: EntityFields {
          let path: FieldPath
          public init(path: FieldPath) { self.path = path }
          public var id: DAOCriteria.Field<Int64> { path.field("id") }
          public var transitions: RelatedField<Transition> { path.related("transitions") }
          public var country: DAOCriteria.Field<Reference<Country>?> { path.field("country") }
          var tags: RelatedField<Reports.Tag> { path.related("tags") }
        }

        public typealias PrimaryKey = Int64

        public var primaryKey: PrimaryKey? { id }

        public init(row: inout RowReader) throws {
          try self.init(id: row.next(), transitions: row.next(at: "zone.transitions"), \
      country: row.next(at: "zone.country"), tags: row.next(at: "zone.tags"))
        }

        public func write(to row: inout ColumnWriter) throws {
          try row.write(id)
          try row.write(country)
        }

        public mutating func setGeneratedKey(_ key: Int64) { id = key }

        public static func prefetch(_ rows: inout Prefetching<Self>) throws {
          try rows.fetch("transitions", into: \\.transitions)
          try rows.fetch("country", into: \\.country)
          try rows.fetch("tags", into: \\.tags)
        }
      }
      """)
  }

  @Test func `a key of references and an initialiser of its own`() {
    expectExpansion(
      """
      @Entity("pair", indexes: [Index(on: "tag")])
      struct ZoneTag {
        @ID @ToOne var zone: Reference<Zone>
        @ID @ToOne(declared: .absent) var tag: Reference<Tag>
        @ToMany(\\Use.zone, \\Use.tag) var uses: Many<Use>
        init() {}
      }
      """,
      """
      struct ZoneTag {
        var zone: Reference<Zone>
        var tag: Reference<Tag>
        var uses: Many<Use>
        init() {}
      }

      extension ZoneTag: Entity {
        static let entityDescription: EntityDescription = EntityDescription(
          "pair", key: .assigned(["zone", "tag"]),
          attributes: [
            DAOCriteria.Attribute("zone", .of(Reference<Zone>.self)),
            DAOCriteria.Attribute("tag", .of(Reference<Tag>.self)),
          ],
          indexes: [.init(on: "tag")],
          relationships: [
            .toOne("zone", Zone.entityDescription, by: "zone"),
            .toOne("tag", Tag.entityDescription, by: "tag", declared: .absent),
            .toMany("uses", Use.entityDescription, by: "zone", "tag"),
          ])

        struct Fields: EntityFields {
          let path: FieldPath
          init(path: FieldPath) { self.path = path }
          var zone: DAOCriteria.Field<Reference<Zone>> { path.field("zone") }
          var tag: DAOCriteria.Field<Reference<Tag>> { path.field("tag") }
          var uses: RelatedField<Use> { path.related("uses") }
        }

        struct PrimaryKey: EntityKey {
          var zone: Reference<Zone>
          var tag: Reference<Tag>

          init(zone: Reference<Zone>, tag: Reference<Tag>) {
            self.zone = zone
            self.tag = tag
          }

          init(row: inout RowReader) throws {
            try self.init(zone: row.next(at: "pair.zone"), tag: row.next(at: "pair.tag"))
          }

          func write(to row: inout ColumnWriter) throws {
            try row.write(zone)
            try row.write(tag)
          }
        }

        var primaryKey: PrimaryKey? { PrimaryKey(zone: zone, tag: tag) }

        init(row: inout RowReader) throws {
          zone = try row.next(at: "pair.zone")
          tag = try row.next(at: "pair.tag")
          uses = row.next(at: "pair.uses")
        }

        func write(to row: inout ColumnWriter) throws {
          try row.write(zone)
          try row.write(tag)
        }

        static func prefetch(_ rows: inout Prefetching<Self>) throws {
          try rows.fetch("zone", into: \\.zone)
          try rows.fetch("tag", into: \\.tag)
          try rows.fetch("uses", into: \\.uses)
        }
      }
      """)
  }
}
