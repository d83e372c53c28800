extension MusicShop {
  static let answers = ofRows + ofRelationships + ofReports

  private static let ofRows = [
    Answer(
      "long pieces, the longest first", "Piece",
      #"""
      "filter": {"compare": "Milliseconds", "is": ">", "to": {"value": 600000}},
      "order": [{"by": "Milliseconds", "direction": "descending"}, {"by": "PieceId"}], "limit": 25
      """#,
      "SELECT * FROM Piece WHERE Milliseconds > 600000 ORDER BY Milliseconds DESC, PieceId LIMIT 25"),
    Answer(
      "pieces at 0.99", "Piece", #""filter": {"compare": "UnitPrice", "is": "==", "to": {"value": 0.99}}"#,
      "SELECT count(*) FROM Piece WHERE UnitPrice = 0.99", .count),
    Answer(
      "pieces at two, kept as an integer", "Piece", #""filter": {"compare": "UnitPrice", "is": "==", "to": {"value": 2.0}}"#,
      "SELECT * FROM Piece WHERE UnitPrice = 2"),
    Answer(
      "prices between", "Piece", #""filter": {"between": "UnitPrice", "from": {"value": 1}, "to": {"value": 1.99}}"#,
      "SELECT * FROM Piece WHERE UnitPrice BETWEEN 1 AND 1.99"),
    Answer(
      "pieces without a composer", "Piece", #""filter": {"isNull": "Composer"}, "order": [{"by": "Name"}, {"by": "PieceId"}]"#,
      "SELECT * FROM Piece WHERE Composer IS NULL ORDER BY Name, PieceId"),
    Answer(
      "not of a genre, those without one too", "Piece", #""filter": {"compare": "GenreId", "is": "!=", "to": {"value": 7}}"#,
      "SELECT count(*) FROM Piece WHERE GenreId IS NOT 7", .count),
    Answer(
      "not larger, those of unknown size too", "Piece", #""filter": {"not": {"compare": "Bytes", "is": ">", "to": {"value": 5000000}}}"#,
      "SELECT * FROM Piece WHERE NOT coalesce(Bytes > 5000000, 0)"),
    Answer(
      "live", "Piece", #""filter": {"like": "Name", "pattern": "*(Live)"}"#, "SELECT * FROM Piece WHERE Name GLOB '*(Live)'"),
    Answer(
      "an asterisk that is one", "Piece", #""filter": {"like": "Name", "pattern": "* \\*"}"#,
      "SELECT * FROM Piece WHERE Name GLOB '* [*]'"),
    Answer(
      "contains a percent sign", "Piece", #""filter": {"contains": "Name", "pattern": "50%"}"#,
      "SELECT * FROM Piece WHERE instr(Name, '50%') > 0"),
    Answer(
      "contains a quotation mark or an apostrophe", "Piece",
      #""filter": {"any": [{"contains": "Name", "pattern": "\""}, {"contains": "Name", "pattern": "'"}]}"#,
      #"SELECT * FROM Piece WHERE instr(Name, '"') OR instr(Name, '''')"#),
    Answer(
      "an address without regard to case", "Customer", #""filter": {"like": "Email", "pattern": "*@mail.EXAMPLE", "caseSensitive": false}"#,
      "SELECT count(*) FROM Customer WHERE Email LIKE '%@mail.EXAMPLE'", .count),
    Answer(
      "an address with regard to it", "Customer", #""filter": {"endsWith": "Email", "pattern": "@mail.EXAMPLE"}"#,
      "SELECT 0", .exists),
    Answer(
      "begins with", "Record", #""filter": {"beginsWith": "Title", "pattern": "Br"}, "order": [{"by": "Title"}, {"by": "RecordId"}]"#,
      "SELECT * FROM Record WHERE Title GLOB 'Br*' ORDER BY Title, RecordId"),
    Answer(
      "ends with", "Performer", #""filter": {"endsWith": "Name", "pattern": "an"}"#, "SELECT * FROM Performer WHERE Name GLOB '*an'"),
    Answer(
      "among genres, or without one", "Piece", #""filter": {"in": "GenreId", "values": [3, 5, 8, null]}, "order": [{"by": "PieceId"}]"#,
      "SELECT * FROM Piece WHERE GenreId IN (3, 5, 8) OR GenreId IS NULL ORDER BY PieceId"),
    Answer(
      "among no genres", "Piece", #""filter": {"not": {"in": "GenreId", "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, null]}}"#,
      "SELECT * FROM Piece WHERE GenreId NOT IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) AND GenreId IS NOT NULL"),
    Answer(
      "a name after the other", "Customer", #""filter": {"compare": "LastName", "is": ">", "to": "FirstName"}"#,
      "SELECT * FROM Customer WHERE LastName > FirstName"),
    Answer(
      "the bills of a month", "Bill",
      #""filter": {"beginsWith": "BillDate", "pattern": "2011-03"}, "order": [{"by": "BillDate"}, {"by": "BillId"}]"#,
      "SELECT * FROM Bill WHERE strftime('%Y-%m', BillDate) = '2011-03' ORDER BY BillDate, BillId"),
    Answer(
      "the bills of half a year", "Bill",
      #""filter": {"between": "BillDate", "from": {"value": "2010-01-01 00:00:00"}, "to": {"value": "2010-06-30 23:59:59"}}"#,
      "SELECT * FROM Bill WHERE date(BillDate) >= '2010-01-01' AND date(BillDate) <= '2010-06-30'"),
    Answer(
      "some after some others", "Record", #""order": [{"by": "Title", "direction": "descending"}], "limit": 30, "offset": 45"#,
      "SELECT * FROM Record ORDER BY Title DESC, RecordId DESC LIMIT 30 OFFSET 45"),
    Answer(
      "pages with many equals and nulls", "Piece",
      #"""
      "filter": {"compare": "PieceId", "is": "<=", "to": {"value": 700}}, \#
      "order": [{"by": "Composer"}, {"by": "UnitPrice", "direction": "descending"}]
      """#,
      "SELECT * FROM Piece WHERE PieceId <= 700 ORDER BY Composer, UnitPrice DESC, PieceId", .pages(60)),
    Answer(
      "nulls last", "Piece",
      #""order": [{"by": "Composer", "nulls": "last"}, {"by": "PieceId", "direction": "descending"}], "limit": 3500"#,
      "SELECT * FROM Piece ORDER BY Composer NULLS LAST, PieceId DESC"),
    Answer(
      "a filter within a filter", "Piece",
      #"""
      "filter": {"all": [
        {"any": [{"compare": "MediumId", "is": "==", "to": {"value": 2}}, {"isNull": "GenreId"}]},
        {"not": {"all": [{"compare": "UnitPrice", "is": "<", "to": {"value": 1}}, {"not": {"isNull": "Composer"}}]}}]}
      """#,
      "SELECT * FROM Piece WHERE (MediumId = 2 OR GenreId IS NULL) AND NOT (UnitPrice < 1 AND Composer IS NOT NULL)"),
    Answer("no row at all", "Piece", #""filter": false"#, "SELECT * FROM Piece WHERE 0"),
    Answer(
      "names by their length", "Performer",
      #"""
      "filter": {"compare": {"length": "Name"}, "is": ">=", "to": {"value": 25}}, \#
      "order": [{"by": {"length": "Name"}}, {"by": "PerformerId"}]
      """#,
      "SELECT * FROM Performer WHERE length(Name) >= 25 ORDER BY length(Name), PerformerId"),
    Answer(
      "in capitals", "Mixtape", #""filter": {"compare": {"upper": "Name"}, "is": "==", "to": {"value": "FAVOURITES"}}"#,
      "SELECT * FROM Mixtape WHERE upper(Name) = 'FAVOURITES'"),
    Answer(
      "a value instead of null", "Customer",
      #""filter": {"compare": {"coalesce": ["Company", {"value": ""}]}, "is": "==", "to": {"value": ""}}"#,
      "SELECT * FROM Customer WHERE coalesce(Company, '') = ''"),
  ]

  private static let ofRelationships = [
    Answer(
      "through two references", "Piece", #""filter": {"like": "Record.Performer.Name", "pattern": "B*"}, "order": [{"by": "PieceId"}]"#,
      """
      SELECT Piece.* FROM Piece JOIN Record USING (RecordId) JOIN Performer USING (PerformerId)
      WHERE Performer.Name GLOB 'B*' ORDER BY PieceId
      """),
    Answer(
      "ordered through a reference", "Piece", #""order": [{"by": "Genre.Name"}, {"by": "Name", "direction": "descending"}], "limit": 200"#,
      """
      SELECT Piece.* FROM Piece LEFT JOIN Genre USING (GenreId) ORDER BY Genre.Name, Piece.Name DESC, PieceId LIMIT 200
      """),
    Answer(
      "without a title for the record's performer", "Piece", #""filter": {"isNull": "Record.Performer.Name"}"#,
      """
      SELECT Piece.* FROM Piece LEFT JOIN Record USING (RecordId) LEFT JOIN Performer USING (PerformerId) WHERE Performer.Name IS NULL
      """),
    Answer(
      "not by a performer, or by none", "Piece", #""filter": {"compare": "Record.PerformerId", "is": "!=", "to": {"value": 3}}"#,
      "SELECT count(*) FROM Piece LEFT JOIN Record USING (RecordId) WHERE Record.PerformerId IS NOT 3", .count),
    Answer(
      "who reports to the first", "Staff", #""filter": {"compare": "ReportsTo.Email", "is": "==", "to": {"value": "staff1@shop.example"}}"#,
      "SELECT s.* FROM Staff s JOIN Staff b ON b.StaffId = s.ReportsTo WHERE b.Email = 'staff1@shop.example'"),
    Answer(
      "whose superior has none", "Staff", #""filter": {"all": [{"not": {"isNull": "ReportsTo"}}, {"isNull": "ReportsTo.ReportsTo"}]}"#,
      "SELECT s.* FROM Staff s JOIN Staff b ON b.StaffId = s.ReportsTo WHERE b.ReportsTo IS NULL"),
    Answer(
      "superiors", "Staff", #""filter": {"some": "Staff"}, "order": [{"by": "StaffId"}]"#,
      "SELECT * FROM Staff WHERE StaffId IN (SELECT ReportsTo FROM Staff) ORDER BY StaffId"),
    Answer(
      "staff without customers below them", "Staff", #""filter": {"not": {"some": "Staff.Customer"}}, "order": [{"by": "StaffId"}]"#,
      """
      SELECT * FROM Staff s \
      WHERE NOT EXISTS (SELECT 1 FROM Staff b JOIN Customer c ON c.SupportRepId = b.StaffId WHERE b.ReportsTo = s.StaffId)
      ORDER BY StaffId
      """),
    Answer(
      "mixtapes with a dear piece", "Mixtape",
      #""filter": {"some": "Piece", "where": {"compare": "UnitPrice", "is": ">", "to": {"value": 1.99}}}"#,
      """
      SELECT * FROM Mixtape m WHERE EXISTS
        (SELECT 1 FROM MixtapePiece x JOIN Piece p USING (PieceId) WHERE x.MixtapeId = m.MixtapeId AND p.UnitPrice > 1.99)
      """),
    Answer(
      "pieces on no mixtape", "Piece", #""filter": {"not": {"some": "Mixtape"}}"#,
      "SELECT count(*) FROM Piece WHERE PieceId NOT IN (SELECT PieceId FROM MixtapePiece)", .count),
    Answer(
      "mixtapes of short pieces only", "Mixtape",
      #""filter": {"not": {"some": "Piece", "where": {"not": {"compare": "Milliseconds", "is": "<", "to": {"value": 895000}}}}}"#,
      """
      SELECT * FROM Mixtape m WHERE NOT EXISTS
        (SELECT 1 FROM MixtapePiece x JOIN Piece p USING (PieceId) WHERE x.MixtapeId = m.MixtapeId AND NOT p.Milliseconds < 895000)
      """),
    Answer(
      "performers on a mixtape", "Performer",
      #""filter": {"some": "Record.Piece.Mixtape", "where": {"compare": "Name", "is": "==", "to": {"value": "Favourites"}}}"#,
      """
      SELECT * FROM Performer WHERE PerformerId IN (SELECT r.PerformerId FROM Record r JOIN Piece USING (RecordId)
        JOIN MixtapePiece USING (PieceId) JOIN Mixtape m USING (MixtapeId) WHERE m.Name = 'Favourites')
      """),
    Answer(
      "performers of many records", "Performer",
      #""filter": {"compare": {"count": "*", "over": "Record"}, "is": ">", "to": {"value": 5}}"#,
      "SELECT * FROM Performer p WHERE (SELECT count(*) FROM Record r WHERE r.PerformerId = p.PerformerId) > 5"),
    Answer(
      "bills of many things", "Bill", #""filter": {"compare": {"sum": "Quantity", "over": "BillLine"}, "is": ">", "to": {"value": 14}}"#,
      "SELECT * FROM Bill b WHERE (SELECT sum(Quantity) FROM BillLine l WHERE l.BillId = b.BillId) > 14"),
    Answer(
      "records by their longest piece of a medium", "Record",
      #"""
      "filter": {"compare": {"max": "Milliseconds", "over": "Piece", \#
      "where": {"compare": "MediumId", "is": "==", "to": {"value": 1}}}, "is": ">",
        "to": {"value": 890000}}
      """#,
      "SELECT * FROM Record r WHERE (SELECT max(Milliseconds) FROM Piece p WHERE p.RecordId = r.RecordId AND MediumId = 1) > 890000"),
    Answer(
      "customers by how much they bought", "Customer",
      #""order": [{"by": {"count": "*", "over": "Bill.BillLine"}, "direction": "descending"}, {"by": "CustomerId"}], "limit": 20"#,
      """
      SELECT * FROM Customer c ORDER BY
        (SELECT count(*) FROM Bill b JOIN BillLine USING (BillId) WHERE b.CustomerId = c.CustomerId) DESC, CustomerId LIMIT 20
      """),
    Answer(
      "customers who bought of a genre", "Customer",
      #"""
      "filter": {"some": "Bill", \#
      "where": {"some": "BillLine", "where": {"compare": "Piece.Genre.GenreId", "is": "==", "to": {"value": 9}}}}
      """#,
      """
      SELECT * FROM Customer \
      WHERE CustomerId IN (SELECT b.CustomerId FROM Bill b JOIN BillLine l USING (BillId) JOIN Piece p USING (PieceId)
        WHERE p.GenreId = 9)
      """),
    Answer(
      "customers without bills", "Customer", #""filter": {"not": {"some": "Bill"}}"#,
      "SELECT * FROM Customer WHERE CustomerId NOT IN (SELECT CustomerId FROM Bill)"),
    Answer(
      "a bill of a customer's own country, with one line for each piece", "Bill",
      #"""
      "filter": {"all": [{"compare": "Country", "is": "==", "to": "Customer.Country"},
        {"compare": {"countDistinct": "PieceId", "over": "BillLine"}, "is": "==", "to": {"count": "*", "over": "BillLine"}}]}
      """#,
      """
      SELECT b.* FROM Bill b JOIN Customer c USING (CustomerId) WHERE b.Country IS c.Country AND
        (SELECT count(DISTINCT PieceId) = count(*) FROM BillLine l WHERE l.BillId = b.BillId)
      """),
    Answer(
      "records whose dearest piece costs more than twice the mean", "Record",
      #"""
      "filter": {"compare": {"average": "UnitPrice", "over": "Piece"}, "is": "<", "to": {"value": 0.9}}, "order": [{"by": "RecordId"}]
      """#,
      "SELECT * FROM Record r WHERE (SELECT avg(UnitPrice) FROM Piece p WHERE p.RecordId = r.RecordId) < 0.9 ORDER BY RecordId"),
    Answer(
      "pieces by the first mixtape that they are on", "Piece",
      #""filter": {"compare": {"min": "MixtapeId", "over": "Mixtape"}, "is": "==", "to": {"value": 10}}"#,
      """
      SELECT * FROM Piece p WHERE (SELECT min(m.MixtapeId) FROM MixtapePiece m WHERE m.PieceId = p.PieceId) = 10
      """),
  ]

  private static let ofReports = [
    Answer(
      "as long as the longest", "Piece", #""filter": {"compare": "Milliseconds", "is": "==", "to": {"max": "Milliseconds"}}"#,
      "SELECT * FROM Piece WHERE Milliseconds = (SELECT max(Milliseconds) FROM Piece)"),
    Answer(
      "longer than the mean", "Piece", #""filter": {"compare": "Milliseconds", "is": ">", "to": {"average": "Milliseconds"}}"#,
      "SELECT count(*) FROM Piece WHERE Milliseconds > (SELECT avg(Milliseconds) FROM Piece)", .count),
    Answer(
      "what there is of each genre", "Piece",
      #"""
      "project": [{"term": "GenreId", "group": true}, {"term": {"count": "*"}}, {"term": {"min": "Milliseconds"}},
        {"term": {"max": "Milliseconds"}}, {"term": {"average": "Milliseconds"}}, {"term": {"sum": "Bytes"}}], "order": [{"by": "GenreId"}]
      """#,
      """
      SELECT GenreId, count(*), min(Milliseconds), max(Milliseconds), avg(Milliseconds), sum(Bytes) \
      FROM Piece GROUP BY GenreId ORDER BY GenreId
      """),
    Answer(
      "large groups", "Piece",
      #"""
      "project": [{"term": "Composer", "group": true}, {"term": {"count": "*"}}],
      "having": {"compare": {"count": "*"}, "is": ">", "to": {"value": 18}}, \#
      "order": [{"by": {"count": "*"}, "direction": "descending"}, {"by": "Composer"}]
      """#,
      "SELECT Composer, count(*) FROM Piece GROUP BY Composer HAVING count(*) > 18 ORDER BY 2 DESC, 1"),
    Answer(
      "grouped through a reference", "Piece",
      #""project": [{"term": "Genre.Name", "group": true}, {"term": {"count": "Composer"}}], "order": [{"by": "Genre.Name"}]"#,
      "SELECT Genre.Name, count(Composer) FROM Piece LEFT JOIN Genre USING (GenreId) GROUP BY 1 ORDER BY 1"),
    Answer(
      "turnover of each agent", "Bill",
      #"""
      "project": [{"term": "Customer.SupportRep.LastName", "group": true}, {"term": {"sum": "Total"}}, {"term": {"average": "Total"}},
        {"term": {"countDistinct": "CustomerId"}}], "order": [{"by": "Customer.SupportRep.LastName"}]
      """#,
      """
      SELECT s.LastName, sum(Total), avg(Total), count(DISTINCT CustomerId) FROM Bill JOIN Customer c USING (CustomerId)
      LEFT JOIN Staff s ON s.StaffId = c.SupportRepId GROUP BY 1 ORDER BY 1
      """),
    Answer(
      "turnover as a whole", "BillLine",
      #"""
      "project": [{"term": {"sum": "UnitPrice"}}, {"term": {"sum": "Quantity"}}, \#
      {"term": {"average": "UnitPrice"}}, {"term": {"count": "*"}}]
      """#,
      "SELECT sum(UnitPrice), sum(Quantity), avg(UnitPrice), count(*) FROM BillLine"),
    Answer(
      "countries", "Customer", #""project": [{"term": "Country"}], "distinct": true, "order": [{"by": "Country"}]"#,
      "SELECT DISTINCT Country FROM Customer ORDER BY 1"),
    Answer(
      "pairs that differ", "Bill",
      #"""
      "project": [{"term": "City"}, {"term": "Country"}], "distinct": true, \#
      "order": [{"by": "Country"}, {"by": "City"}], "limit": 12, "offset": 3
      """#,
      "SELECT DISTINCT City, Country FROM Bill ORDER BY Country, City LIMIT 12 OFFSET 3"),
    Answer(
      "how many prices", "Piece",
      #""project": [{"term": {"countDistinct": "UnitPrice"}}, {"term": {"min": "UnitPrice"}}, {"term": {"max": "UnitPrice"}}]"#,
      "SELECT count(DISTINCT UnitPrice), min(UnitPrice), max(UnitPrice) FROM Piece"),
    Answer(
      "the largest of the first ten", "Piece",
      #""project": [{"term": {"max": "Bytes"}}, {"term": {"count": "*"}}], "order": [{"by": "PieceId"}], "limit": 10"#,
      "SELECT max(Bytes), count(*) FROM (SELECT * FROM Piece ORDER BY PieceId LIMIT 10)"),
    Answer(
      "functions of texts", "Staff",
      #"""
      "project": [{"term": "StaffId"}, {"term": {"upper": "Email"}}, {"term": {"lower": "Email"}}, {"term": {"length": "LastName"}},
        {"term": {"coalesce": ["Title", {"value": "none"}]}}], "order": [{"by": "StaffId"}]
      """#,
      "SELECT StaffId, upper(Email), lower(Email), length(LastName), coalesce(Title, 'none') FROM Staff ORDER BY StaffId"),
    Answer(
      "grouped by a function", "Customer",
      #"""
      "project": [{"term": {"length": "FirstName"}, "group": true}, {"term": {"count": "*"}}], \#
      "order": [{"by": {"length": "FirstName"}}]
      """#,
      "SELECT length(FirstName), count(*) FROM Customer GROUP BY 1 ORDER BY 1"),
    Answer(
      "what is read through references", "BillLine",
      #"""
      "filter": {"compare": "Quantity", "is": ">", "to": {"value": 1}},
      "project": [{"term": "BillLineId"}, {"term": "Piece.Name"}, {"term": "Piece.Record.Title"}, {"term": "Bill.Customer.LastName"}],
      "order": [{"by": "BillLineId"}]
      """#,
      """
      SELECT BillLineId, Piece.Name, Record.Title, Customer.LastName \
      FROM BillLine JOIN Piece USING (PieceId) LEFT JOIN Record USING (RecordId)
      JOIN Bill USING (BillId) JOIN Customer USING (CustomerId) WHERE Quantity > 1 ORDER BY BillLineId
      """),
    Answer(
      "mixtapes with how long they last", "Mixtape",
      #"""
      "project": [{"term": "MixtapeId"}, {"term": {"count": "*", "over": "Piece"}}, {"term": {"sum": "Milliseconds", "over": "Piece"}},
        {"term": {"max": "UnitPrice", "over": "Piece"}}], "order": [{"by": "MixtapeId"}]
      """#,
      """
      SELECT MixtapeId, count(p.PieceId), sum(p.Milliseconds), max(p.UnitPrice) FROM Mixtape LEFT JOIN MixtapePiece USING (MixtapeId)
      LEFT JOIN Piece p USING (PieceId) GROUP BY 1 ORDER BY 1
      """),
    Answer(
      "how many groups", "MixtapePiece",
      #""project": [{"term": "PieceId", "group": true}], "having": {"compare": {"count": "*"}, "is": ">=", "to": {"value": 2}}"#,
      "SELECT count(*) FROM (SELECT 1 FROM MixtapePiece GROUP BY PieceId HAVING count(*) >= 2)", .count),
  ]
}
