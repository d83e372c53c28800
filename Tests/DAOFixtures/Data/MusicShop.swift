import DAODifferential
import DAOKit
import TestCases

extension Fixture {
  /// A shop for records: one-to-many throughout, a many-to-many, staff with a superior, numbers and dates as other tools declare them.
  package static let musicShop = Fixture(
    name: "music-shop", schema: MusicShop.schema, tables: { MusicShop.tables(&$0) }, answers: MusicShop.answers)
}

enum MusicShop {
  static let schema = [
    """
    CREATE TABLE [Performer] (\
    [PerformerId] INTEGER NOT NULL, [Name] NVARCHAR(120), \
    CONSTRAINT [PK_Performer] PRIMARY KEY ([PerformerId]))
    """,
    """
    CREATE TABLE [Record] (
      [RecordId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [PerformerId] INTEGER NOT NULL,
      CONSTRAINT [PK_Record] PRIMARY KEY ([RecordId]),
      FOREIGN KEY ([PerformerId]) REFERENCES [Performer] ([PerformerId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    "CREATE TABLE [Medium] ([MediumId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Medium] PRIMARY KEY ([MediumId]))",
    "CREATE TABLE [Genre] ([GenreId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Genre] PRIMARY KEY ([GenreId]))",
    """
    CREATE TABLE [Piece] (
      [PieceId] INTEGER NOT NULL, [Name] NVARCHAR(200) NOT NULL, [RecordId] INTEGER, [MediumId] INTEGER NOT NULL, [GenreId] INTEGER,
      [Composer] NVARCHAR(220), [Milliseconds] INTEGER NOT NULL, [Bytes] INTEGER, [UnitPrice] NUMERIC(10,2) NOT NULL,
      CONSTRAINT [PK_Piece] PRIMARY KEY ([PieceId]),
      FOREIGN KEY ([RecordId]) REFERENCES [Record] ([RecordId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([MediumId]) REFERENCES [Medium] ([MediumId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([GenreId]) REFERENCES [Genre] ([GenreId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    "CREATE TABLE [Mixtape] ([MixtapeId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Mixtape] PRIMARY KEY ([MixtapeId]))",
    """
    CREATE TABLE [MixtapePiece] (
      [MixtapeId] INTEGER NOT NULL, [PieceId] INTEGER NOT NULL, CONSTRAINT [PK_MixtapePiece] PRIMARY KEY ([MixtapeId], [PieceId]),
      FOREIGN KEY ([MixtapeId]) REFERENCES [Mixtape] ([MixtapeId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([PieceId]) REFERENCES [Piece] ([PieceId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE [Staff] (
      [StaffId] INTEGER NOT NULL, [LastName] NVARCHAR(20) NOT NULL, [FirstName] NVARCHAR(20) NOT NULL, [Title] NVARCHAR(30),
      [ReportsTo] INTEGER, [BirthDate] DATETIME, [HireDate] DATETIME, [Email] NVARCHAR(60),
      CONSTRAINT [PK_Staff] PRIMARY KEY ([StaffId]),
      FOREIGN KEY ([ReportsTo]) REFERENCES [Staff] ([StaffId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE [Customer] (
      [CustomerId] INTEGER NOT NULL, [FirstName] NVARCHAR(40) NOT NULL, [LastName] NVARCHAR(20) NOT NULL, [Company] NVARCHAR(80),
      [City] NVARCHAR(40), [Country] NVARCHAR(40), [Email] NVARCHAR(60) NOT NULL, [SupportRepId] INTEGER,
      CONSTRAINT [PK_Customer] PRIMARY KEY ([CustomerId]),
      FOREIGN KEY ([SupportRepId]) REFERENCES [Staff] ([StaffId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE [Bill] (
      [BillId] INTEGER NOT NULL, [CustomerId] INTEGER NOT NULL, [BillDate] DATETIME NOT NULL, [City] NVARCHAR(40), [Country] NVARCHAR(40),
      [Total] NUMERIC(10,2) NOT NULL, CONSTRAINT [PK_Bill] PRIMARY KEY ([BillId]),
      FOREIGN KEY ([CustomerId]) REFERENCES [Customer] ([CustomerId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE [BillLine] (
      [BillLineId] INTEGER NOT NULL, [BillId] INTEGER NOT NULL, [PieceId] INTEGER NOT NULL, [UnitPrice] NUMERIC(10,2) NOT NULL,
      [Quantity] INTEGER NOT NULL, CONSTRAINT [PK_BillLine] PRIMARY KEY ([BillLineId]),
      FOREIGN KEY ([BillId]) REFERENCES [Bill] ([BillId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
      FOREIGN KEY ([PieceId]) REFERENCES [Piece] ([PieceId]) ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    "CREATE INDEX [IFK_RecordPerformerId] ON [Record] ([PerformerId])",
    "CREATE INDEX [IFK_PieceRecordId] ON [Piece] ([RecordId])",
    "CREATE INDEX [IFK_PieceMediumId] ON [Piece] ([MediumId])",
    "CREATE INDEX [IFK_PieceGenreId] ON [Piece] ([GenreId])",
    "CREATE INDEX [IFK_MixtapePiecePieceId] ON [MixtapePiece] ([PieceId])",
    "CREATE INDEX [IFK_StaffReportsTo] ON [Staff] ([ReportsTo])",
    "CREATE INDEX [IFK_CustomerSupportRepId] ON [Customer] ([SupportRepId])",
    "CREATE INDEX [IFK_BillCustomerId] ON [Bill] ([CustomerId])",
    "CREATE INDEX [IFK_BillLineBillId] ON [BillLine] ([BillId])",
    "CREATE INDEX [IFK_BillLinePieceId] ON [BillLine] ([PieceId])",
  ]

  static func tables(_ random: inout RandomSource) -> [Fixture.Table] {
    let performers = (1...240).map { number in [.integer(number), number == 77 ? .null : .text(random.title())] as [StoredValue] }
    let records = (1...340).map { number in
      [.integer(number), .text(random.title()), .integer(random.number(1...(number < 200 ? 60 : 220)))] as [StoredValue]
    }
    let media = ["Vinyl", "Cassette", "MPEG", "AAC", "Wax"].enumerated().map { [.integer($0 + 1), .text($1)] as [StoredValue] }
    let genres = (1...25).map { [.integer($0), $0 == 25 ? .null : .text(random.word())] as [StoredValue] }
    let composers = (0..<150).map { _ in "\(random.word()) \(random.surname())" }
    var prices: [Int] = []
    let pieces = (1...3_500).map { number -> [StoredValue] in
      prices.append(random.pick([99, 99, 99, 99, 199, 129, 200, 0]))
      let composer =
        random.once(in: 3) ? nil : random.once(in: 5) ? "\(random.pick(composers))/\(random.pick(composers))" : random.pick(composers)
      return [
        .integer(number), .text(random.title()),
        .integer(random.once(in: 80) ? nil : min(340, 1 + number / 10 - random.number(0...5) * (number > 60 ? 1 : 0))),
        .integer(random.pick([1, 1, 1, 2, 3, 4])), .integer(random.once(in: 50) ? nil : random.number(1...24)), .text(composer),
        .integer(random.number(60_000...900_000)), .integer(random.once(in: 30) ? nil : random.number(1_000_000...30_000_000)),
        money(prices[number - 1]),
      ]
    }
    let mixtapes = (1...18).map { number -> [StoredValue] in
      [.integer(number), number == 18 ? .null : .text(number == 10 ? "Favourites" : number == 3 ? "Favourites" : random.title())]
    }
    let pairs = (1...16).flatMap { tape in
      Set((0..<random.number(tape == 1 ? 1_500...1_500 : 5...200)).map { _ in random.number(1...3_500) }).sorted()
        .map { [.integer(tape), .integer($0)] as [StoredValue] }
    }
    let superiors: [Int?] = [nil, 1, 2, 2, 2, 1, 6, 6, nil]
    let staff = superiors.enumerated().map { number, superior -> [StoredValue] in
      let name = random.surname()
      return [
        .integer(number + 1), .text(name), .text(random.word()), .text(random.pick(["Manager", "Agent", "Clerk", nil])), .integer(superior),
        .text(random.once(in: 5) ? nil : random.midnight(1947...1973)), .text(random.midnight(2002...2004)),
        .text("staff\(number + 1)@shop.example"),
      ]
    }
    let places = (0..<30).map { _ in (random.surname(), random.word()) }
    let customers = (1...60).map { number -> [StoredValue] in
      let place = random.pick(places)
      return [
        .integer(number), .text(random.word()), .text(random.surname()), .text(random.once(in: 5) ? random.title() : nil), .text(place.0),
        .text(random.once(in: 20) ? nil : place.1), .text("\(random.word())\(number)@Mail.example"),
        .integer(random.once(in: 9) ? nil : random.pick([3, 4, 5])),
      ]
    }
    var lines: [[StoredValue]] = []
    let bills = (1...412).map { number -> [StoredValue] in
      var total = 0
      for _ in 0..<random.pick([1, 2, 2, 4, 6, 9, 14]) {
        let (piece, quantity) = (random.number(1...3_500), random.once(in: 10) ? random.number(2...5) : 1)
        lines.append([.integer(lines.count + 1), .integer(number), .integer(piece), money(prices[piece - 1]), .integer(quantity)])
        total += prices[piece - 1] * quantity
      }
      // The last few customers have bought nothing.
      let customer = random.number(1...57)
      return [
        .integer(number), .integer(customer), .text(random.once(in: 3) ? random.moment(2009...2013) : random.midnight(2009...2013)),
        customers[customer - 1][4], customers[customer - 1][5], money(total),
      ]
    }
    return [
      ("Performer", performers), ("Record", records), ("Medium", media), ("Genre", genres), ("Piece", pieces), ("Mixtape", mixtapes),
      ("MixtapePiece", pairs), ("Staff", staff), ("Customer", customers), ("Bill", bills), ("BillLine", lines),
    ]
  }

  /// Hundredths as a column of numbers keeps them: whole ones as integers.
  static func money(_ hundredths: Int) -> StoredValue {
    hundredths % 100 == 0 ? .integer(hundredths / 100) : .real(Double(hundredths) / 100)
  }
}
