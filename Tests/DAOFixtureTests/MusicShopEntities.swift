import DAOMacros

// The shop's tables as an app would declare them. Names that saved criteria have are those of the columns, and of what a dynamic entity
// calls its relationships.

@Entity(table: "performer")
struct Performer {
  @ID @Attribute(.column("PerformerId"), .renamedFrom("PerformerId")) var id: Int64?
  @Attribute(.column("Name"), .renamedFrom("Name")) var name: String?
  @ToMany(\Record.performer, renamedFrom: ["Record"]) var records: Many<Record> = Many()
}

@Entity(table: "record")
struct Record {
  @ID @Attribute(.column("RecordId"), .renamedFrom("RecordId")) var id: Int64?
  @Attribute(.column("Title"), .renamedFrom("Title")) var title: String
  @ToOne @Attribute(.column("PerformerId"), .renamedFrom("PerformerId"), .renamedFrom("Performer")) var performer: Reference<Performer>
  @ToMany(\Piece.record, renamedFrom: ["Piece"]) var pieces: Many<Piece> = Many()
}

@Entity(table: "Medium")
struct Medium {
  @ID @Attribute(.column("mediumid")) var id: Int64?
  @Attribute(.column("NAME")) var name: String?
}

@Entity(table: "Genre")
struct Genre {
  @ID @Attribute(.column("GenreId"), .renamedFrom("GenreId")) var id: Int64?
  @Attribute(.column("Name"), .renamedFrom("Name")) var name: String?
}

@Entity(table: "Piece")
struct Piece {
  @ID @Attribute(.column("PieceId"), .renamedFrom("PieceId")) var id: Int64?
  @Attribute(.column("Name"), .renamedFrom("Name")) var name: String
  @ToOne @Attribute(.column("RecordId"), .renamedFrom("RecordId"), .renamedFrom("Record")) var record: Reference<Record>?
  @ToOne @Attribute(.column("MediumId"), .renamedFrom("MediumId")) var medium: Reference<Medium>
  @ToOne @Attribute(.column("GenreId"), .renamedFrom("GenreId"), .renamedFrom("Genre")) var genre: Reference<Genre>?
  @Attribute(.column("Composer"), .renamedFrom("Composer")) var composer: String?
  @Attribute(.column("Milliseconds"), .renamedFrom("Milliseconds")) var milliseconds: Int
  @Attribute(.column("Bytes"), .renamedFrom("Bytes")) var bytes: Int?
  @Attribute(.column("UnitPrice"), .renamedFrom("UnitPrice")) var unitPrice: Double
  @ToMany(\BillLine.piece, renamedFrom: ["BillLine"]) var lines: Many<BillLine> = Many()
  @ManyToMany(by: \MixtapePiece.piece, to: \MixtapePiece.mixtape, renamedFrom: ["Mixtape"]) var mixtapes: Many<Mixtape> = Many()
}

@Entity(table: "Mixtape")
struct Mixtape {
  @ID @Attribute(.column("MixtapeId"), .renamedFrom("MixtapeId")) var id: Int64?
  @Attribute(.column("Name"), .renamedFrom("Name")) var name: String?
  @ManyToMany(by: \MixtapePiece.mixtape, to: \MixtapePiece.piece, renamedFrom: ["Piece"]) var pieces: Many<Piece> = Many()
}

@Entity(table: "mixtapepiece")
struct MixtapePiece {
  @ID @ToOne @Attribute(.column("MixtapeId"), .renamedFrom("MixtapeId")) var mixtape: Reference<Mixtape>
  @ID @ToOne @Attribute(.column("PieceId"), .renamedFrom("PieceId")) var piece: Reference<Piece>
}

@Entity(table: "STAFF")
struct Staff {
  @ID @Attribute(.column("StaffId"), .renamedFrom("StaffId")) var id: Int64?
  @Attribute(.column("LastName"), .renamedFrom("LastName")) var lastName: String
  @Attribute(.column("FirstName"), .renamedFrom("FirstName")) var firstName: String
  @Attribute(.column("Title"), .renamedFrom("Title")) var title: String?
  @ToOne @Attribute(.column("ReportsTo"), .renamedFrom("ReportsTo")) var superior: Reference<Staff>?
  @Attribute(.column("BirthDate"), .renamedFrom("BirthDate")) var birthDate: Scalar
  @Attribute(.column("HireDate"), .renamedFrom("HireDate")) var hireDate: Scalar
  @Attribute(.column("Email"), .renamedFrom("Email")) var email: String?
  @ToMany(\Staff.superior, renamedFrom: ["Staff"]) var team: Many<Staff> = Many()
  @ToMany(\Customer.supportRep, renamedFrom: ["Customer"]) var customers: Many<Customer> = Many()
}

@Entity(table: "Customer")
struct Customer {
  @ID @Attribute(.column("CustomerId"), .renamedFrom("CustomerId")) var id: Int64?
  @Attribute(.column("FirstName"), .renamedFrom("FirstName")) var firstName: String
  @Attribute(.column("LastName"), .renamedFrom("LastName")) var lastName: String
  @Attribute(.column("Company"), .renamedFrom("Company")) var company: String?
  @Attribute(.column("City"), .renamedFrom("City")) var city: String?
  @Attribute(.column("Country"), .renamedFrom("Country")) var country: String?
  @Attribute(.column("Email"), .renamedFrom("Email")) var email: String
  @ToOne @Attribute(.column("SupportRepId"), .renamedFrom("SupportRepId"), .renamedFrom("SupportRep")) var supportRep: Reference<Staff>?
  @ToMany(\Bill.customer, renamedFrom: ["Bill"]) var bills: Many<Bill> = Many()
}

@Entity(table: "Bill")
struct Bill {
  @ID @Attribute(.column("BillId"), .renamedFrom("BillId")) var id: Int64?
  @ToOne @Attribute(.column("CustomerId"), .renamedFrom("CustomerId"), .renamedFrom("Customer")) var customer: Reference<Customer>
  @Attribute(.column("BillDate"), .renamedFrom("BillDate")) var date: Scalar
  @Attribute(.column("City"), .renamedFrom("City")) var city: String?
  @Attribute(.column("Country"), .renamedFrom("Country")) var country: String?
  @Attribute(.column("Total"), .renamedFrom("Total")) var total: Double
  @ToMany(\BillLine.bill, renamedFrom: ["BillLine"]) var lines: Many<BillLine> = Many()
}

@Entity(table: "BILLLINE")
struct BillLine {
  @ID @Attribute(.column("BillLineId"), .renamedFrom("BillLineId")) var id: Int64?
  @ToOne @Attribute(.column("BillId"), .renamedFrom("BillId"), .renamedFrom("Bill")) var bill: Reference<Bill>
  @ToOne @Attribute(.column("PieceId"), .renamedFrom("PieceId"), .renamedFrom("Piece")) var piece: Reference<Piece>
  @Attribute(.column("UnitPrice"), .renamedFrom("UnitPrice")) var unitPrice: Double
  @Attribute(.column("Quantity"), .renamedFrom("Quantity")) var quantity: Int
}
